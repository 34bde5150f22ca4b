import type { Translation } from './language.rules.ts';

const DEVELOPER = 'Der Entwickler der App, von der Sie kommen, muss';
const AGAIN = 'Versuchen Sie es noch einmal.';

/** German. */
export const de: Translation = {
  common: {
    backToApp: 'Zurück zur App',
    leaveItSo: 'So belassen',
    tryAgain: 'Noch einmal versuchen',
    askAgain: 'Noch einmal auswählen',
    selectFiles: 'Dateien auswählen',
    canClose: 'Sie können diese Seite schließen.',
    requestNumber: 'Anfrage {id}',
    continueWithGoogle: 'Weiter mit Google',
    continueWith: 'Weiter mit {provider}',
    connectService: '{service} verbinden',
    asksFor: 'Die App möchte:',
    asksForAccess: '{app} bittet um Zugriff auf Ihr Konto bei {provider}.',
    asksForAccessUnnamed: 'Die App, von der Sie kommen, bittet um Zugriff auf Ihr Konto bei {provider}.',
    asksForAccessAny: '{app} bittet um Zugriff auf eines Ihrer Konten.',
    asksForAccessAnyUnnamed: 'Die App, von der Sie kommen, bittet um Zugriff auf eines Ihrer Konten.',
    usedFor: 'Was Sie erlauben, wird in {app} für {who} verwendet.',
    usedForUnnamed: 'Was Sie erlauben, wird in der App, von der Sie kommen, für {who} verwendet.',
    whoOfOrganization: '{who}, {organization}',
    userWithId: 'die Person mit der Kennung {id}',
    notYou:
      'Wenn Sie das nicht sind oder nicht darum gebeten haben, schließen Sie diese Seite: Sonst bekommt jemand anderes Zugriff auf Ihr Konto.',
    notAsked:
      'Wenn Sie nicht darum gebeten haben, schließen Sie diese Seite: Sonst bekommt jemand anderes Zugriff auf Ihr Konto.',
    connected: 'Verbunden',
    connectedPartly: 'Verbunden, mit weniger Zugriff',
    oneStepLeft: 'Noch ein Schritt in der App',
    fileSelected: { one: 'Datei ausgewählt', other: 'Dateien ausgewählt' },
    nothingConnected: 'Es wurde nichts verbunden',
    cannot: 'Sie haben nicht alles erlaubt. Deshalb kann die App Folgendes nicht:',
  },
  session: {
    title: 'Konto verbinden',
    loading: 'Wird geladen …',
    needsScript:
      'Diese Seite braucht JavaScript, um Ihren Link zu lesen. Schalten Sie es ein und öffnen Sie den Link noch einmal.',
    cookiesBlocked:
      'Ihr Browser speichert für diese Seite keine Cookies, deshalb kämen Sie von {provider} nicht zurück. Lassen Sie hier Cookies zu oder öffnen Sie den Link in einem anderen Browser.',
    unreachable:
      'Das Gateway ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es noch einmal.',
    answered: 'Das Gateway hat mit {status} geantwortet. Versuchen Sie es gleich noch einmal.',
    incomplete: 'Dieser Link ist unvollständig',
    incompleteAdvice:
      'Gehen Sie zurück zur App und öffnen Sie den Link noch einmal, oder lassen Sie sich dort einen neuen geben.',
    over: 'Dieser Link funktioniert nicht',
    expired: 'Dieser Link ist abgelaufen',
    expiredAdvice: 'Gehen Sie zurück zur App und lassen Sie sich dort einen neuen geben.',
    notLoaded: 'Diese Seite konnte nicht geladen werden',
    sending: 'Sie werden zu {provider} weitergeleitet …',
    choose: 'Was möchten Sie verbinden?',
    chooseAgain: 'Was möchten Sie neu verbinden?',
    connectServiceAgain: '{service} neu verbinden',
    selectFilesIn: 'Dateien in {service} auswählen',
    asksForFiles:
      '{app} bittet Sie, Dateien auszuwählen. Mit diesen kann die App dann arbeiten und mit keinen anderen.',
    asksForFilesUnnamed:
      'Die App, von der Sie kommen, bittet Sie, Dateien auszuwählen. Mit diesen kann sie dann arbeiten und mit keinen anderen.',
    notYouFiles:
      'Wenn Sie das nicht sind oder nicht darum gebeten haben, schließen Sie diese Seite: Sonst bekommt jemand anderes Zugriff auf Ihre Dateien.',
    notAskedFiles:
      'Wenn Sie nicht darum gebeten haben, schließen Sie diese Seite: Sonst bekommt jemand anderes Zugriff auf Ihre Dateien.',
    useAccount: 'Verwenden Sie das Konto {account}.',
    alsoAsksFor: 'Die App möchte jetzt außerdem:',
    mayAlready: 'Die App darf bereits:',
    alreadyStarted:
      'Sie haben schon begonnen, hier oder in einem anderen Tab. Machen Sie dort weiter oder beginnen Sie hier neu.',
    noFileSelected: 'Es wurde keine Datei ausgewählt und nichts geändert.',
    nothingSetUp:
      'Die App hat noch nichts eingerichtet, was sich verbinden lässt. Ihr Entwickler muss eine Integration hinzufügen.',
    notOffered:
      '{provider} akzeptiert diese App zurzeit nicht, deshalb lässt sich nichts verbinden. Der Entwickler der App muss ihre Einstellungen bei {provider} korrigieren; vorher hilft auch ein neuer Versuch nicht.',
    googleAsksForFiles: 'Google fragt, ob Sie das erlauben, und zeigt dann Ihre Dateien.',
    googleAsks: 'Google zeigt diese Berechtigungen noch einmal, und Sie können einzelne abwählen.',
    providerAsks: '{provider} fragt Sie noch einmal, bevor die App Zugriff bekommt.',
    backWithoutFiles: 'Zurück, ohne Dateien auszuwählen',
    backWithoutConnecting: 'Zurück, ohne zu verbinden',
    filesReady: {
      one: 'Die App kann mit der Datei arbeiten, die Sie ausgewählt haben.',
      other: 'Die App kann mit den {count} Dateien arbeiten, die Sie ausgewählt haben.',
    },
    filesLost: {
      one: 'Sie haben eine Datei ausgewählt. Die App konnte sie nicht öffnen.',
      other: 'Sie haben {count} Dateien ausgewählt. Die App konnte sie nicht öffnen.',
    },
    filesPartlyLost: {
      one: 'Sie haben {count} Datei ausgewählt. Die App konnte {lost} davon nicht öffnen.',
      other: 'Sie haben {count} Dateien ausgewählt. Die App konnte {lost} davon nicht öffnen.',
    },
    accountConnected: 'Ihr Konto ist verbunden.',
    accountReady: 'Ihr Konto ist bereit. Die App verbindet es, sobald Sie dorthin zurückkehren.',
    timedOut:
      'Google hat Sie nicht innerhalb von zehn Minuten zurückgeschickt. Wenn Google einen Fehler angezeigt hat, lesen Sie unten nach; sonst versuchen Sie es noch einmal.',
    timedOutElsewhere: 'Sie sind nicht innerhalb von zehn Minuten zurückgekommen. Versuchen Sie es noch einmal.',
    notConfirmed:
      'Die App hat das Verbinden Ihres Kontos nicht rechtzeitig abgeschlossen und deshalb keinen Zugriff bekommen. Lassen Sie sich dort einen neuen Link geben.',
  },
  admin: {
    title: '{app} für Ihre Organisation zulassen',
    titleUnnamed: 'Eine App für Ihre Organisation zulassen',
    forOrganization: 'Dieser Link ist für {organization}.',
    who: 'Das kann nur ein Super Admin von Google Workspace. Wenn Sie keiner sind, leiten Sie diesen Link an ihn weiter. Er gilt bis {until}.',
    means: 'Was Sie eintragen, erlaubt der App Folgendes für alle Nutzer Ihrer Domain, ohne sie zu fragen:',
    notAsked: 'Wenn Sie das nicht erwarten, schließen Sie diese Seite und tragen Sie nichts ein.',
    list: '1. Die App bei Google eintragen',
    listAdvice:
      'Googles Formular öffnet sich mit beiden Feldern ausgefüllt. Vergleichen Sie sie mit diesen und autorisieren Sie. Lassen Sie bestehende Einträge, wie sie sind. Wo mehrere Administratoren zustimmen müssen, bestätigt ein zweiter.',
    openForm: 'Googles Formular öffnen',
    clientId: 'Client-ID',
    scopes: 'OAuth-Bereiche',
    copyClientId: 'Client-ID kopieren',
    copyScopes: 'Bereiche kopieren',
    copied: 'Kopiert',
    check: '2. Prüfen',
    address: 'E-Mail-Adresse eines beliebigen Nutzers Ihrer Domain',
    checkNow: 'Prüfen',
    checking: 'Google wird gefragt …',
    works: 'Es funktioniert',
    worksFor: 'Die App kann für Nutzer von {domain} handeln.',
    listed: 'eingetragen',
    notListed: 'nicht eingetragen',
    notKnown: 'nicht bekannt',
    causes: {
      delegation_pending:
        'Noch nicht: Google weiß nichts davon. Wenn Sie die App gerade eingetragen haben, warten Sie: Es dauert einige Minuten und höchstens 24 Stunden. Prüfen Sie dann noch einmal.',
      delegation_incomplete:
        'Es fehlt etwas. Öffnen Sie das Formular noch einmal und ergänzen Sie die Bereiche, die nicht eingetragen sind.',
      account_restricted:
        'Google oder Ihre Einstellungen beschränken diesen Nutzer. Versuchen Sie eine andere Adresse oder heben Sie die Beschränkung auf.',
      admin_restricted:
        'Die API-Steuerung Ihrer Domain blockiert die App. Stufen Sie ihre Client-ID dort als vertrauenswürdig ein (Sicherheit, API-Steuerung, App-Zugriffssteuerung).',
      account_unavailable: 'Dieser Nutzer wurde gesperrt oder gelöscht. Versuchen Sie eine andere Adresse.',
      subject_unknown:
        'Google kennt keinen Nutzer mit dieser Adresse. Geben Sie eine primäre Adresse ein, keinen Alias und keine Gruppe.',
      subject_not_allowed:
        'Die App erwartet keine Nutzer mit dieser Adresse. Prüfen Sie die Schreibweise oder nennen Sie dem Entwickler der App Ihre Domain.',
      taken:
        'Diese Domain kann mit diesem Link nicht geprüft werden. Wenden Sie sich an die App, die Sie hierher geschickt hat.',
      app_fault:
        'Die App ist bei Google nicht richtig eingerichtet. Ihr Entwickler muss das ändern; sie noch einmal einzutragen hilft nicht.',
      too_many: 'Sie haben zu oft geprüft. Warten Sie eine Minute.',
      not_asked: 'Google konnte nicht gefragt werden. Versuchen Sie es in einer Minute noch einmal.',
    },
  },
  frame: {
    openInTab: 'In einem neuen Tab öffnen',
    blocked: 'Ihr Browser hat das Fenster blockiert',
    blockedAdvice: 'Öffnen Sie die Seite zum Verbinden selbst:',
    cancel: 'Abbrechen',
    close: 'Schließen',
    done: 'Fertig',
    showWindow: 'Fenster anzeigen',
    otherWindow: 'Machen Sie im anderen Fenster weiter',
    otherWindowAdvice: 'Hier geht es weiter, wenn Sie dort fertig sind.',
    ownWindow: 'Ihre Zustimmung geben Sie in einem eigenen Fenster.',
    oneStepLeft: 'Noch ein Schritt',
    accountReady: 'Ihr Konto ist bereit. Die App verbindet es jetzt.',
    accountConnected: 'Ihr Konto ist verbunden.',
    sessionExpired: 'Der Link zum Verbinden ist abgelaufen.',
    startAgain: 'Schließen Sie diese Ansicht und beginnen Sie neu.',
    windowClosed: 'Das Fenster wurde geschlossen, bevor Sie fertig waren.',
  },
  googleErrors: {
    question: 'Hat Google einen Fehler angezeigt?',
    answer: 'Dann hat Google Sie nicht zurückgeschickt. Das bedeutet der Fehler:',
    notVerified: {
      name: 'access_denied, „hat den Google-Überprüfungsprozess nicht abgeschlossen“',
      meaning:
        'Die App wird noch getestet. Ihr Entwickler muss Ihr Konto als Testnutzer eintragen oder die App veröffentlichen.',
    },
    adminPolicy: {
      name: 'admin_policy_enforced',
      meaning: 'Ihre Organisation blockiert die App. Bitten Sie Ihren Google-Workspace-Administrator, sie zuzulassen.',
    },
    orgInternal: {
      name: 'org_internal',
      meaning: 'Die App ist nur für Mitglieder ihrer eigenen Organisation. Wählen Sie ein Konto dieser Organisation.',
    },
    blocked: {
      name: '„Diese App ist blockiert“',
      meaning:
        'Google lässt diese App nicht an die gewünschten Daten, weil Google sie nicht geprüft hat oder weil für Ihr Konto das erweiterte Sicherheitsprogramm gilt. Der Entwickler muss die App prüfen lassen; ein Konto im erweiterten Sicherheitsprogramm lässt sich nicht mit ihr verbinden.',
    },
    disabled: {
      name: 'disabled_client',
      meaning:
        'Google hat die App abgeschaltet oder lässt bis zu ihrer Prüfung keine neuen Nutzer mehr zu. Ihr Entwickler muss das mit Google klären; ein neuer Versuch hilft nicht.',
    },
    misconfigured: {
      name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
      meaning:
        'Die App ist bei Google nicht richtig eingerichtet. Ihr Entwickler muss das korrigieren; ein neuer Versuch hilft nicht.',
    },
    userAgent: {
      name: 'disallowed_useragent',
      meaning:
        'Google erlaubt die Anmeldung nicht innerhalb dieser App. Öffnen Sie den Link in einem Browser wie Chrome, Safari oder Firefox.',
    },
    rateLimit: {
      name: 'rate_limit_exceeded',
      meaning:
        'Zu viele Personen verbinden sich gleichzeitig. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
    },
  },
  result: {
    goOnInApp: 'In der App weitermachen',
    serviceConnected: '{service} ist verbunden.',
    accountConnected: '{service} von {account} ist verbunden.',
    serviceReady: '{service} ist bereit. Die App verbindet es, sobald Sie dorthin zurückkehren.',
    accountReady: '{service} von {account} ist bereit. Die App verbindet es, sobald Sie dorthin zurückkehren.',
    willNotBeAble: 'Sie haben nicht alles erlaubt. Deshalb wird die App Folgendes nicht können:',
    filesUsable: {
      one: 'Die App kann jetzt mit der Datei arbeiten, die Sie ausgewählt haben.',
      other: 'Die App kann jetzt mit den {count} Dateien arbeiten, die Sie ausgewählt haben.',
    },
    filesUsableOf: {
      one: 'Die App kann jetzt mit der Datei arbeiten, die Sie im Google Drive von {account} ausgewählt haben.',
      other:
        'Die App kann jetzt mit den {count} Dateien arbeiten, die Sie im Google Drive von {account} ausgewählt haben.',
    },
    filesChosen: { one: 'Sie haben eine Datei ausgewählt.', other: 'Sie haben {count} Dateien ausgewählt.' },
    filesChosenOf: {
      one: 'Sie haben eine Datei im Google Drive von {account} ausgewählt.',
      other: 'Sie haben {count} Dateien im Google Drive von {account} ausgewählt.',
    },
    noneOpened: {
      one: 'Die App konnte sie nicht öffnen. Die App weiß, welche es ist.',
      other: 'Die App konnte sie nicht öffnen. Die App weiß, welche es sind.',
    },
    someNotOpened: 'Die App konnte {lost} davon nicht öffnen. Die App weiß, welche es sind.',
    stranded: 'Es ist nichts verbunden',
    strandedHappened:
      'Diese Seite kann die App nicht erreichen. Was Sie erlaubt haben, wird deshalb nicht verwendet und verfällt innerhalb von 15 Minuten.',
    strandedNext:
      'Gehen Sie zurück zur App und beginnen Sie dort neu. Wenn das noch einmal passiert, wenden Sie sich an den Entwickler der App.',
    providerSaid: '{provider} sagt: {words}',
    detail: 'Details: {words}',
    openLinkAgain: 'Um es noch einmal zu versuchen, öffnen Sie den Link aus der App erneut.',
  },
  problems: {
    title: 'Das hat nicht funktioniert',
    advice:
      'Es wurde nichts verbunden. Gehen Sie zurück zur App, von der Sie kommen. Wenn das noch einmal passiert, wenden Sie sich an den Entwickler der App.',
    link_not_valid:
      'Dieser Link ist nicht gültig oder wurde zurückgezogen. Lassen Sie sich von der App, von der Sie kommen, einen neuen geben.',
    link_expired: 'Dieser Link ist abgelaufen. Lassen Sie sich von der App, von der Sie kommen, einen neuen geben.',
    link_not_confirmed:
      'Die App hat nicht bestätigt, was dieser Link ergeben hat. Lassen Sie sich von ihr einen neuen geben.',
    link_used: 'Dieser Link wurde schon verwendet. Lassen Sie sich von der App, von der Sie kommen, einen neuen geben.',
    link_started_elsewhere:
      'Dieser Link wurde zuerst in einem anderen Browser geöffnet und lässt sich nur dort abschließen. Machen Sie dort weiter, oder lassen Sie sich von der App einen neuen Link geben.',
    link_started_too_often:
      'Dieser Link wurde zu oft begonnen. Lassen Sie sich von der App, von der Sie kommen, einen neuen geben.',
    link_outdated:
      'Die App bittet nicht mehr um das, wofür dieser Link gedacht war. Lassen Sie sich von ihr einen neuen geben.',
    connection_deleted: 'Die Verbindung wurde gelöscht. Verbinden Sie das Konto in der App noch einmal.',
    too_many:
      'Zu viele Personen verbinden sich gleichzeitig. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    app_not_ready:
      'Die App ist nicht vollständig eingerichtet. Ihr Entwickler muss das korrigieren; ein neuer Versuch hilft nicht.',
    foreign_page: 'Nur die Seite des Links selbst darf das beginnen. Öffnen Sie den Link aus der App noch einmal.',
    bad_address: 'Die Adresse, die Sie geöffnet haben, stimmt nicht. Der Entwickler der App muss sie korrigieren:',
    gateway_failed: 'Im Gateway ist ein Fehler aufgetreten. Gehen Sie zurück zur App und versuchen Sie es noch einmal.',
  },
  failures: {
    malformed_answer: {
      title: 'Die Antwort war nicht lesbar',
      happened:
        'Die Adresse, mit der Sie zurückgekommen sind, ist unvollständig oder wurde unterwegs verändert. Es wurde nichts verbunden.',
      next: AGAIN,
    },
    unknown_state: {
      title: 'Dieser Schritt ist schon vorbei',
      happened:
        'Diese Anmeldung wurde bereits abgeschlossen oder nie hier begonnen. Das erneute Öffnen hat nichts geändert.',
      next: 'Wenn Ihr Konto noch nicht verbunden ist, versuchen Sie es noch einmal.',
    },
    other_browser: {
      title: 'In einem anderen Browser begonnen',
      happened:
        'Diese Anmeldung wurde in einem anderen Browser begonnen, oder dieser Browser hat seine Cookies gelöscht. Es wurde nichts verbunden.',
      next: 'Wenn Sie selbst begonnen haben, öffnen Sie den Link aus der App noch einmal in dem Browser, den Sie verwenden möchten. Wenn nicht, schließen Sie diese Seite.',
    },
    timed_out: {
      title: 'Das hat zu lange gedauert',
      happened: 'Eine Anmeldung muss innerhalb von zehn Minuten abgeschlossen sein. Es wurde nichts verbunden.',
      next: AGAIN,
    },
    session_ended: {
      title: 'Dieser Link gilt nicht mehr',
      happened: 'Die App hat den Link zurückgezogen, zu dem diese Anmeldung gehört. Es wurde nichts verbunden.',
      next: 'Gehen Sie zurück zur App und lassen Sie sich dort einen neuen geben.',
    },
    session_used: {
      title: 'Dieser Link wurde schon verwendet',
      happened: 'Mit diesem Link wurde bereits ein Konto verbunden. Diese Anmeldung hat nichts geändert.',
      next: 'Um ein weiteres Konto zu verbinden, gehen Sie zurück zur App und lassen Sie sich dort einen neuen Link geben.',
    },
    other_issuer: {
      title: 'Die Antwort kam von woanders',
      happened:
        'Die Antwort nennt einen anderen Anbieter als den, zu dem Sie geschickt wurden, und wurde deshalb nicht verwendet. Es wurde nichts verbunden.',
      next: AGAIN,
    },
    refused: {
      title: 'Sie haben keinen Zugriff gewährt',
      happened: '{provider} meldet, dass kein Zugriff gewährt wurde. Deshalb wurde nichts verbunden.',
      next: 'Wenn das nicht Ihre Absicht war, versuchen Sie es noch einmal und wählen Sie „Zulassen“.',
    },
    pick_cancelled: {
      title: 'Es wurde keine Datei ausgewählt',
      happened: 'Sie sind zurückgekommen, ohne eine Datei auszuwählen. Es wurde nichts geändert.',
      next: 'Wenn das nicht Ihre Absicht war, versuchen Sie es noch einmal und wählen Sie mindestens eine aus.',
    },
    admin_blocked: {
      title: 'Ihre Organisation lässt diese App nicht zu',
      happened:
        'Der Administrator Ihrer Organisation hat diese App oder den Zugriff, um den sie bittet, blockiert. Es wurde nichts verbunden.',
      next: 'Bitten Sie Ihren Administrator, die App zuzulassen, und versuchen Sie es dann noch einmal.',
    },
    account_restricted: {
      title: '{provider} schränkt dieses Konto ein',
      happened:
        '{provider} lässt Apps dieses Konto zurzeit nicht verwenden: {provider} selbst oder Ihr Administrator hat es eingeschränkt. Es wurde nichts verbunden.',
      next: 'Sehen Sie dort in Ihrem Konto nach, was von Ihnen verlangt wird, oder fragen Sie Ihren Administrator; versuchen Sie es dann noch einmal.',
    },
    account_protected: {
      title: 'Dieses Konto ist besonders geschützt',
      happened:
        '{provider} schützt dieses Konto so, dass die App keinen Zugriff bekommen kann. Es wurde nichts verbunden.',
      next: 'Verbinden Sie ein anderes Konto. Mit diesem hilft ein neuer Versuch erst, wenn der Schutz aufgehoben ist.',
    },
    organization_only: {
      title: 'Die App ist nur für Konten ihrer eigenen Organisation',
      happened:
        'Bei {provider} lässt diese App nur Konten der Organisation zu, die sie erstellt hat, und das gewählte Konto gehört nicht dazu. Es wurde nichts verbunden.',
      next: `Versuchen Sie es mit einem Konto dieser Organisation. ${DEVELOPER} die App bei {provider} öffnen, wenn andere sie nutzen sollen.`,
    },
    sign_in_needed: {
      title: '{provider} möchte, dass Sie ein Konto wählen',
      happened: '{provider} konnte nicht weitermachen, ohne Sie vorher etwas zu fragen. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal und folgen Sie den Schritten dort.',
    },
    provider_trouble: {
      title: 'Bei {provider} gab es ein Problem',
      happened: '{provider} konnte die Anfrage nicht beantworten. Es wurde nichts verbunden.',
      next: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    app_misconfigured: {
      title: 'Die App ist nicht richtig eingerichtet',
      happened: '{provider} akzeptiert nicht, wie diese App um Zugriff bittet. Es wurde nichts verbunden.',
      next: `${DEVELOPER} ihre Einstellungen bei {provider} korrigieren. Sagen Sie ihm, was {provider} gemeldet hat.`,
    },
    app_disabled: {
      title: '{provider} hat die App abgeschaltet',
      happened: '{provider} hat die Anmeldung dieser App abgeschaltet. Es wurde nichts verbunden.',
      next: `${DEVELOPER} das bei {provider} klären. Sagen Sie ihm, was {provider} gemeldet hat.`,
    },
    provider_refused: {
      title: '{provider} hat keinen Zugriff gewährt',
      happened: '{provider} hat die Anmeldung beendet, ohne Zugriff zu gewähren. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal. Wenn das noch einmal passiert, sagen Sie dem Entwickler der App, was {provider} gemeldet hat.',
    },
    integration_gone: {
      title: 'Diese Verbindung wird nicht mehr angeboten',
      happened: 'Die App hat diese Integration entfernt, während Sie sie verbunden haben. Es wurde nichts verbunden.',
      next: 'Gehen Sie zurück zur App; ihr Entwickler kann Ihnen sagen, was an die Stelle getreten ist.',
    },
    integration_changed: {
      title: 'Die App hat sich währenddessen geändert',
      happened:
        'Der Entwickler hat geändert, worum diese App bittet. Ihre Antwort passt nicht mehr dazu. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal, um zu sehen, worum sie jetzt bittet.',
    },
    credentials_missing: {
      title: 'Die App ist nicht vollständig eingerichtet',
      happened: 'Die App hat keinen OAuth-Client, der dafür verwendet werden darf. Es wurde nichts verbunden.',
      next: `${DEVELOPER} der Integration einen eigenen OAuth-Client geben.`,
    },
    client_rejected: {
      title: '{provider} akzeptiert die App nicht',
      happened: '{provider} lehnt den OAuth-Client dieser App ab. Es wurde nichts verbunden.',
      next: `${DEVELOPER} Client-ID, Clientschlüssel oder Weiterleitungs-URI korrigieren. Sagen Sie ihm, was {provider} gemeldet hat.`,
    },
    code_rejected: {
      title: '{provider} hat die Antwort nicht akzeptiert',
      happened: 'Der Einmalcode dieser Anmeldung wurde nicht akzeptiert. Es wurde nichts verbunden.',
      next: AGAIN,
    },
    provider_unreachable: {
      title: '{provider} war nicht erreichbar',
      happened: 'Der letzte Schritt bei {provider} hat gerade nicht funktioniert. Es wurde nichts verbunden.',
      next: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    no_refresh_token: {
      title: '{provider} hat nur für kurze Zeit Zugriff gegeben',
      happened:
        '{provider} hat keine dauerhafte Berechtigung geschickt; die Verbindung wäre bald zu Ende gewesen. Sie wurde nicht gespeichert.',
      next: 'Versuchen Sie es noch einmal. Wenn das noch einmal passiert, entfernen Sie die App zuerst in Ihrem Konto bei {provider}.',
    },
    only_sign_in: {
      title: 'Es war keine Berechtigung angekreuzt',
      happened:
        'Sie haben sich angemeldet, aber nichts gewährt, womit die App arbeiten könnte. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal und kreuzen Sie mindestens eine Berechtigung an.',
    },
    account_unproven: {
      title: 'Das Konto ließ sich nicht bestätigen',
      happened:
        '{provider} hat nicht nachgewiesen, welches Konto das ist. Deshalb wurde es nicht verwendet. Es wurde nichts geändert.',
      next: AGAIN,
    },
    wrong_account: {
      title: 'Das ist ein anderes Konto bei {provider}',
      happened: 'Diese Verbindung gehört zu {expected}, Sie haben aber {chosen} gewählt. Es wurde nichts geändert.',
      next: 'Versuchen Sie es noch einmal mit {expected}. Um das andere Konto zu verbinden, gehen Sie zurück zur App.',
    },
    wrong_domain: {
      title: 'Dieses Konto gehört nicht zur richtigen Organisation',
      happened:
        'Die App nimmt nur Google-Konten von {domain} an, Sie haben aber {chosen} gewählt. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal mit Ihrem Konto von {domain}.',
    },
    no_organization: {
      title: 'Dieses Konto gehört nicht zur richtigen Organisation',
      happened:
        'Die App nimmt nur Google-Konten einer Organisation (Google Workspace) an, Sie haben aber {chosen} gewählt. Es wurde nichts verbunden.',
      next: 'Versuchen Sie es noch einmal mit Ihrem Arbeits- oder Schulkonto.',
    },
    connection_deleted: {
      title: 'Die Verbindung gibt es nicht mehr',
      happened: 'Die Verbindung wurde gelöscht, während Sie sich angemeldet haben. Es wurde nichts verbunden.',
      next: 'Gehen Sie zurück zur App und verbinden Sie das Konto dort noch einmal.',
    },
    connection_ended: {
      title: 'Die Verbindung ist beendet',
      happened: '{provider} akzeptiert die Verbindung nicht mehr, für die die Dateien waren. Es wurde nichts geändert.',
      next: 'Gehen Sie zurück zur App, verbinden Sie das Konto noch einmal und wählen Sie dann die Dateien aus.',
    },
    changed_meanwhile: {
      title: 'Die Verbindung wurde zwischenzeitlich geändert',
      happened: 'Die Verbindung wurde zur selben Zeit mehrmals anderswo geändert. Es wurde nichts gespeichert.',
      next: AGAIN,
    },
    internal: {
      title: 'Bei uns ist etwas schiefgegangen',
      happened: 'Die Verbindung ließ sich nicht herstellen. Es wurde nichts gespeichert.',
      next: 'Versuchen Sie es noch einmal. Wenn das noch einmal passiert, nennen Sie dem Entwickler der App die Anfragenummer unten.',
    },
  },
  failuresAt: {
    google: {
      admin_blocked: {
        title: 'Ihre Organisation lässt diese App nicht zu',
        happened:
          'Der Administrator Ihres Google Workspace hat diese App oder den Zugriff, um den sie bittet, blockiert. Es wurde nichts verbunden.',
        next: 'Bitten Sie Ihren Administrator, die App in der Google Admin-Konsole zuzulassen, und versuchen Sie es dann noch einmal.',
      },
      account_restricted: {
        title: 'Google schränkt dieses Konto ein',
        happened:
          'Google lässt Apps dieses Konto zurzeit nicht verwenden: Google selbst oder Ihr Administrator hat es eingeschränkt. Es wurde nichts verbunden.',
        next: 'Sehen Sie unter myaccount.google.com nach, was Google von Ihnen möchte, oder fragen Sie Ihren Administrator; versuchen Sie es dann noch einmal.',
      },
      account_protected: {
        title: 'Ihr Konto nimmt am erweiterten Sicherheitsprogramm teil',
        happened:
          'Ihr Google-Konto nimmt am erweiterten Sicherheitsprogramm teil. Es lehnt Apps ab, die Google dafür nicht freigegeben hat. Es wurde nichts verbunden.',
        next: 'Verbinden Sie ein anderes Google-Konto. Mit diesem hilft ein neuer Versuch erst, wenn Sie das Programm verlassen haben.',
      },
      organization_only: {
        title: 'Die App ist nur für Konten ihrer eigenen Organisation',
        happened:
          'Bei Google lässt diese App nur Konten der Organisation zu, die sie erstellt hat, und das gewählte Konto gehört nicht dazu. Es wurde nichts verbunden.',
        next: `Versuchen Sie es mit einem Konto dieser Organisation. Sollen andere die App nutzen, muss ihr Entwickler in der Google Cloud Console die Zielgruppe auf „Extern“ stellen.`,
      },
      sign_in_needed: {
        title: 'Google möchte, dass Sie ein Konto wählen',
        happened: 'Google konnte nicht weitermachen, ohne Sie vorher etwas zu fragen. Es wurde nichts verbunden.',
        next: 'Versuchen Sie es noch einmal und folgen Sie den Schritten auf den Seiten von Google.',
      },
      app_misconfigured: {
        title: 'Die App ist nicht richtig eingerichtet',
        happened: 'Google akzeptiert nicht, wie diese App um Zugriff bittet. Es wurde nichts verbunden.',
        next: `${DEVELOPER} ihre Einstellungen in der Google Cloud Console korrigieren. Sagen Sie ihm, was Google gemeldet hat.`,
      },
      app_disabled: {
        title: 'Google hat die App abgeschaltet',
        happened:
          'Google hat die Anmeldung dieser App abgeschaltet oder lässt bis zu ihrer Prüfung keine neuen Nutzer mehr zu. Es wurde nichts verbunden.',
        next: `${DEVELOPER} das in der Google Cloud Console klären. Sagen Sie ihm, was Google gemeldet hat.`,
      },
      no_refresh_token: {
        title: 'Google hat nur für eine Stunde Zugriff gegeben',
        happened:
          'Google hat keine dauerhafte Berechtigung geschickt; die Verbindung wäre nach spätestens einer Stunde zu Ende gewesen. Sie wurde nicht gespeichert.',
        next: 'Versuchen Sie es noch einmal. Wenn das noch einmal passiert, entfernen Sie die App zuerst unter myaccount.google.com/connections.',
      },
    },
  },
  unknownAccounts: { expected: 'einem anderen Konto bei {provider}', chosen: 'ein anderes Konto' },
  services: { 'google-drive': 'Google Drive', 'google-calendar': 'Google Kalender' },
  scopes: {
    'drive.file':
      'Nur die Drive-Dateien sehen, bearbeiten, erstellen und löschen, die mit dieser App verwendet werden.',
    'drive.appdata': 'Ihre eigenen Einstellungen in Drive sehen, anlegen und löschen.',
    'drive.install': 'In Drive als App erscheinen, die Dateien öffnet.',
    'drive.apps.readonly': 'Sehen, welche Drive-Apps installiert sind.',
    drive: 'Alle Drive-Dateien sehen, bearbeiten, erstellen und löschen.',
    'drive.readonly': 'Alle Drive-Dateien sehen und herunterladen.',
    'drive.metadata': 'Die Metadaten von Drive-Dateien sehen und verwalten.',
    'drive.metadata.readonly': 'Angaben über Drive-Dateien sehen, nicht deren Inhalt.',
    'drive.meet.readonly': 'Drive-Dateien sehen und herunterladen, die Google Meet erstellt oder bearbeitet hat.',
    'drive.scripts': 'Das Verhalten der Apps-Script-Skripte des Kontos ändern.',
    'drive.activity': 'Die Aktivitäten von Drive-Dateien sehen und ergänzen.',
    'drive.activity.readonly': 'Die Aktivitäten von Drive-Dateien sehen.',
    'calendar.app.created': 'Weitere Kalender anlegen und nur diese verwalten.',
    'calendar.calendarlist.readonly': 'Sehen, welche Kalender das Konto abonniert hat.',
    'calendar.events.freebusy': 'Die Verfügbarkeit in den Kalendern sehen, die das Konto sehen kann.',
    'calendar.events.public.readonly': 'Termine öffentlicher Kalender sehen.',
    'calendar.freebusy': 'Sehen, wann das Konto frei oder belegt ist.',
    'calendar.settings.readonly': 'Die Einstellungen von Google Kalender sehen.',
    calendar: 'Alle Kalender sehen, bearbeiten, freigeben und löschen.',
    'calendar.readonly': 'Alle Kalender und ihre Termine sehen.',
    'calendar.events': 'Termine in allen Kalendern sehen und bearbeiten.',
    'calendar.events.readonly': 'Termine in allen Kalendern sehen.',
    'calendar.events.owned': 'Termine in den eigenen Kalendern des Kontos sehen, anlegen, ändern und löschen.',
    'calendar.events.owned.readonly': 'Termine in den eigenen Kalendern des Kontos sehen.',
    'calendar.calendarlist': 'Abonnierte Kalender sehen, hinzufügen und entfernen.',
    'calendar.calendars': 'Eigenschaften von Kalendern sehen und ändern und weitere Kalender anlegen.',
    'calendar.calendars.readonly': 'Titel, Beschreibung und Zeitzone von Kalendern sehen.',
    'calendar.acls': 'Sehen und ändern, für wen Kalender freigegeben sind.',
    'calendar.acls.readonly': 'Sehen, für wen Kalender freigegeben sind.',
  },
};
