"""The reference for training; see make_training_reference.py."""
