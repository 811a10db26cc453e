;;; emacs.el --- A client of oauth-stdio for Emacs  -*- lexical-binding: t -*-

;; What a package needs to call an API for its user; the user is asked to sign in when nobody has:
;;
;;   (oauth-stdio-call "github" '(:url "user") (lambda (answer) (message "%s" (plist-get answer :body))) #'message)
;;
;; Accounts have their names in the program's configuration.  Needs Emacs 28, for the jsonrpc.el that it brings.

;;; Code:

(require 'jsonrpc)

(defvar oauth-stdio-program (or (getenv "OAUTH_STDIO") "oauth-stdio") "The program.")

(defvar oauth-stdio-arguments
  (let ((file (getenv "OAUTH_CONFIG"))) (and file (list "--config" file)))
  "Its arguments; without any it reads its own configuration.")

(defvar oauth-stdio--connection nil "To the one process of this Emacs.")

(defun oauth-stdio-connection ()
  "The connection to the process, which is started when it is first needed."
  (unless (and oauth-stdio--connection (jsonrpc-running-p oauth-stdio--connection))
    (unless (executable-find oauth-stdio-program) (error "%s cannot be run" oauth-stdio-program))
    (setq oauth-stdio--connection
          (make-instance
           'jsonrpc-process-connection
           :name "oauth-stdio"
           :process (lambda ()
                      ;; Through a pipe: a terminal would cut long lines and change their ends.
                      (make-process :name "oauth-stdio" :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :command (cons oauth-stdio-program oauth-stdio-arguments)
                                    :stderr (get-buffer-create " *oauth-stdio stderr*")))
           :notification-dispatcher #'oauth-stdio--hear)))
  oauth-stdio--connection)

(defun oauth-stdio--hear (_connection event params)
  "Show what EVENT asks of the user by its PARAMS; the rest is told by answers."
  (when (eq event 'signInWasRequested)
    (let ((code (plist-get params :userCode)))
      (message "sign in here: %s%s" (plist-get params :url) (if code (concat "\nand type this code: " code) "")))))

(defun oauth-stdio-request (method params success failure)
  "Ask METHOD with PARAMS, a plist, and go on.
SUCCESS is called with the result, a plist, or FAILURE with the error's message and the kind to branch on."
  (jsonrpc-async-request
   (oauth-stdio-connection) method params
   ;; The program has its own limits, 300 s for a sign-in and 60 s for a call, and answers when they are over.
   :timeout 600
   :success-fn success
   :error-fn (lambda (error) (funcall failure (plist-get error :message) (plist-get (plist-get error :data) :kind)))
   :timeout-fn (lambda () (funcall failure "the program does not answer" nil))))

(defun oauth-stdio-call (account params success failure)
  "Call the API of ACCOUNT with PARAMS, those of `callAPI'; where nobody is signed in, ask for that first."
  (let ((call (append (list :account account) params)))
    (oauth-stdio-request
     :callAPI call success
     (lambda (message &optional kind)
       (if (equal kind "signInRequired")
           (oauth-stdio-request
            :authorize (list :account account) (lambda (_) (oauth-stdio-request :callAPI call success failure)) failure)
         (funcall failure message kind))))))

(provide 'oauth-stdio)
;;; emacs.el ends here
