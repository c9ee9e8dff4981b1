"""Coming to rest: who lies or sits lets trunk, limbs and head down onto what is beneath."""
