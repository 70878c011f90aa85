"""Pure rules: no clock, no environment, no I/O. `now` and ids are arguments."""
