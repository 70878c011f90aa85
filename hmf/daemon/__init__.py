"""The process that holds the store for months: schedule, HTTP, and the client that goes through it."""
