"""What one session leaves for another: handoffs within a project, messages between projects."""
