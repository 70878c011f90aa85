"""Scenarios played on a simulated clock, and what a memory made of them, measured."""
