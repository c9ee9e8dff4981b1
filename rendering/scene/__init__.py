"""What is drawn and in which colours: values that the application builds."""
