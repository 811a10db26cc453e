;;; me.el --- Prints the user name that the API returns  -*- lexical-binding: t -*-
(let ((account (pop command-line-args-left)) (url (pop command-line-args-left)) status)
  (condition-case error
      (oauth-stdio-call
       account (list :url url)
       (lambda (answer)
         (let ((me (json-parse-string (plist-get answer :body))))
           (princ (format "%s\n" (or (gethash "user" me) (gethash "name" me)))))
         (setq status 0))
       (lambda (text &optional _kind) (message "%s" text) (setq status 1)))
    (error (message "%s" (error-message-string error)) (setq status 1)))
  (while (not status) (accept-process-output nil 0.1))
  (kill-emacs status))
