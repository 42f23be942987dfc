"""Open ends, and what counts as a person's own word to drop one.

task            a task as its file tells it
task_read       which tasks there are
task_due        when a task has to be done, and whether that is over
task_snapshot   tasks as lines for an agent or a person
task_write      adding, completing and dismissing: one record, one log line, one commit
confirmation    whether a text is a person's word to dismiss a task
reconcile       which tasks the first words of a session bring to an end
turn_file       what a turn of the conversation says, for the processes of the same session
turn            a turn begins and ends
"""
