/// European languages in Latin letters.
extension PageTexts {
  static let english = PageTexts(
    language: "en", isRightToLeft: false,
    succeededTitle: "Signed in", succeeded: "You are signed in to {provider}.", account: "Account:",
    unfinishedTitle: "One more step",
    unfinished: "{provider} has to ask for your consent once more, on a page of its own, so that you stay signed in.",
    deniedTitle: "Access not granted", denied: "Access to {provider} was refused, so you are not signed in.",
    failedTitle: "Sign-in failed", failed: "You are not signed in to {provider}.",
    outdatedTitle: "Nothing to sign in to", outdated: "This sign-in is no longer waited for.",
    closeTab: "You can close this tab.",
    tryAgain: "You can close this tab and start again from the program you came from.",
    reasons: [
      .cancelled: "The program that asked for the sign-in cancelled it.",
      .replaced: "Another sign-in of the same account took its place.",
      .timedOut: "The time for this sign-in ran out.",
      .ended: "The program that asked for the sign-in has ended.",
      .anotherUser: "A different user signed in than the one this account belongs to.",
      .refused: "The provider refused the sign-in.",
      .unreachable: "The provider could not be reached.",
      .untrusted: "The provider’s answer failed a security check.",
      .notKept: "The sign-in could not be saved on this computer.",
      .misconfigured: "The program’s settings for this provider are wrong.",
      .unknown: "The sign-in could not be finished.",
    ]
  )

  static let german = PageTexts(
    language: "de", isRightToLeft: false,
    succeededTitle: "Angemeldet", succeeded: "Sie sind bei {provider} angemeldet.", account: "Konto:",
    unfinishedTitle: "Noch ein Schritt",
    unfinished: "{provider} muss Sie auf einer weiteren Seite noch einmal um Zustimmung bitten, damit Sie angemeldet bleiben.",
    deniedTitle: "Zugriff nicht erlaubt", denied: "Der Zugriff auf {provider} wurde abgelehnt; Sie sind nicht angemeldet.",
    failedTitle: "Anmeldung fehlgeschlagen", failed: "Sie sind nicht bei {provider} angemeldet.",
    outdatedTitle: "Keine Anmeldung offen", outdated: "Auf diese Anmeldung wird nicht mehr gewartet.",
    closeTab: "Sie können diesen Tab schließen.",
    tryAgain: "Sie können diesen Tab schließen und in dem Programm, aus dem Sie kamen, von vorn beginnen.",
    reasons: [
      .cancelled: "Das Programm, das die Anmeldung angefordert hat, hat sie abgebrochen.",
      .replaced: "Eine andere Anmeldung desselben Kontos ist an ihre Stelle getreten.",
      .timedOut: "Die Zeit für diese Anmeldung ist abgelaufen.",
      .ended: "Das Programm, das die Anmeldung angefordert hat, wurde beendet.",
      .anotherUser: "Es hat sich ein anderer Benutzer angemeldet als der, dem dieses Konto gehört.",
      .refused: "Der Anbieter hat die Anmeldung abgelehnt.",
      .unreachable: "Der Anbieter war nicht erreichbar.",
      .untrusted: "Die Antwort des Anbieters hat eine Sicherheitsprüfung nicht bestanden.",
      .notKept: "Die Anmeldung konnte auf diesem Computer nicht gespeichert werden.",
      .misconfigured: "Die Einstellungen des Programms für diesen Anbieter sind falsch.",
      .unknown: "Die Anmeldung konnte nicht abgeschlossen werden.",
    ]
  )

  static let french = PageTexts(
    language: "fr", isRightToLeft: false,
    succeededTitle: "Connexion réussie", succeeded: "Vous êtes connecté à {provider}.", account: "Compte :",
    unfinishedTitle: "Encore une étape",
    unfinished: "{provider} doit vous demander votre accord encore une fois, sur une autre page, pour que vous restiez connecté.",
    deniedTitle: "Accès non accordé", denied: "L’accès à {provider} a été refusé, vous n’êtes donc pas connecté.",
    failedTitle: "Échec de la connexion", failed: "Vous n’êtes pas connecté à {provider}.",
    outdatedTitle: "Aucune connexion en cours", outdated: "Cette connexion n’est plus attendue.",
    closeTab: "Vous pouvez fermer cet onglet.",
    tryAgain: "Vous pouvez fermer cet onglet et recommencer depuis le programme d’où vous venez.",
    reasons: [
      .cancelled: "Le programme qui a demandé la connexion l’a annulée.",
      .replaced: "Une autre connexion du même compte l’a remplacée.",
      .timedOut: "Le délai de cette connexion est écoulé.",
      .ended: "Le programme qui a demandé la connexion s’est terminé.",
      .anotherUser: "L’utilisateur qui s’est connecté n’est pas celui de ce compte.",
      .refused: "Le fournisseur a refusé la connexion.",
      .unreachable: "Le fournisseur est injoignable.",
      .untrusted: "La réponse du fournisseur a échoué à un contrôle de sécurité.",
      .notKept: "La connexion n’a pas pu être enregistrée sur cet ordinateur.",
      .misconfigured: "Les réglages du programme pour ce fournisseur sont incorrects.",
      .unknown: "La connexion n’a pas pu être terminée.",
    ]
  )

  static let spanish = PageTexts(
    language: "es", isRightToLeft: false,
    succeededTitle: "Sesión iniciada", succeeded: "Ha iniciado sesión en {provider}.", account: "Cuenta:",
    unfinishedTitle: "Un paso más",
    unfinished: "{provider} tiene que pedirle su consentimiento una vez más, en otra página, para que su sesión siga iniciada.",
    deniedTitle: "Acceso no concedido", denied: "Se denegó el acceso a {provider}, por lo que no ha iniciado sesión.",
    failedTitle: "No se pudo iniciar sesión", failed: "No ha iniciado sesión en {provider}.",
    outdatedTitle: "Ningún inicio de sesión pendiente", outdated: "Ya no se espera este inicio de sesión.",
    closeTab: "Puede cerrar esta pestaña.",
    tryAgain: "Puede cerrar esta pestaña y empezar de nuevo desde el programa del que venía.",
    reasons: [
      .cancelled: "El programa que pidió el inicio de sesión lo canceló.",
      .replaced: "Otro inicio de sesión de la misma cuenta ocupó su lugar.",
      .timedOut: "Se agotó el tiempo para este inicio de sesión.",
      .ended: "El programa que pidió el inicio de sesión ha terminado.",
      .anotherUser: "Inició sesión un usuario distinto del de esta cuenta.",
      .refused: "El proveedor rechazó el inicio de sesión.",
      .unreachable: "No se pudo contactar con el proveedor.",
      .untrusted: "La respuesta del proveedor no superó una comprobación de seguridad.",
      .notKept: "El inicio de sesión no se pudo guardar en este equipo.",
      .misconfigured: "La configuración del programa para este proveedor es incorrecta.",
      .unknown: "El inicio de sesión no se pudo completar.",
    ]
  )

  static let portuguese = PageTexts(
    language: "pt", isRightToLeft: false,
    succeededTitle: "Sessão iniciada", succeeded: "A sua sessão em {provider} foi iniciada.", account: "Conta:",
    unfinishedTitle: "Mais um passo",
    unfinished: "{provider} precisa de pedir o seu consentimento mais uma vez, noutra página, para que a sua sessão continue iniciada.",
    deniedTitle: "Acesso não concedido", denied: "O acesso a {provider} foi recusado; a sua sessão não foi iniciada.",
    failedTitle: "Falha ao iniciar sessão", failed: "A sua sessão em {provider} não foi iniciada.",
    outdatedTitle: "Nenhum início de sessão pendente", outdated: "Este início de sessão já não é esperado.",
    closeTab: "Pode fechar este separador.",
    tryAgain: "Pode fechar este separador e recomeçar a partir do programa de onde veio.",
    reasons: [
      .cancelled: "O programa que pediu o início de sessão cancelou-o.",
      .replaced: "Outro início de sessão da mesma conta tomou o seu lugar.",
      .timedOut: "O tempo para este início de sessão esgotou-se.",
      .ended: "O programa que pediu o início de sessão terminou.",
      .anotherUser: "Quem iniciou sessão não é o utilizador desta conta.",
      .refused: "O fornecedor recusou o início de sessão.",
      .unreachable: "Não foi possível contactar o fornecedor.",
      .untrusted: "A resposta do fornecedor não passou numa verificação de segurança.",
      .notKept: "Não foi possível guardar o início de sessão neste computador.",
      .misconfigured: "As definições do programa para este fornecedor estão erradas.",
      .unknown: "Não foi possível concluir o início de sessão.",
    ]
  )
}
