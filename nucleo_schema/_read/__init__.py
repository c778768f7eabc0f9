"""Reading: from a model's raw reply to an instance, or to all that is wrong with it."""
