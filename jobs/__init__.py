"""The jobs HMF ships: each module has a `job`, an `hmf.plan.Job`, found through the entry-point group `hmf.jobs`.

A job reads a view and returns a plan. It changes nothing, and knows only memories, policies and plans.
"""
