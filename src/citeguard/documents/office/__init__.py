"""Files of Microsoft Office: Word documents, slides and workbooks."""
