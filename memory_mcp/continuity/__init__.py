"""What one session leaves for another: handoffs within a project, messages between projects.

record_folder     the records of one kind in a scope
record_text       what others wrote, in the form in which a record can hold it
handoff           a handoff as its file tells it
handoff_caps      how long its parts may be
handoff_open      what a session leaves by itself, and keeps up to date
handoff_receiver  the session that may take one over, and where it works
handoff_choice    which handoff a session should take, and which are out of date
handoff_claim     claiming one, and giving it back
handoff_expire    letting one expire that later work has superseded
handoff_service   begin, list, accept, cancel, expire
message           a message as its file tells it
message_service   send, list, take, cancel
disputes          what two clones decided about before they were merged
"""
