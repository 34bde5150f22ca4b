import type { Translation } from './language.rules.ts';

const DEVELOPER = 'Le développeur de l’application d’où vous venez doit';
const AGAIN = 'Réessayez.';

/** French. */
export const fr: Translation = {
  common: {
    backToApp: 'Retour à l’application',
    leaveItSo: 'Laisser tel quel',
    tryAgain: 'Réessayer',
    askAgain: 'Choisir à nouveau',
    selectFiles: 'Sélectionner des fichiers',
    canClose: 'Vous pouvez fermer cette page.',
    requestNumber: 'Requête {id}',
    continueWithGoogle: 'Continuer avec Google',
    continueWith: 'Continuer avec {provider}',
    connectService: 'Connecter {service}',
    asksFor: 'L’application souhaite :',
    asksForAccess: '{app} demande l’accès à votre compte {provider}.',
    asksForAccessUnnamed: 'L’application d’où vous venez demande l’accès à votre compte {provider}.',
    asksForAccessAny: '{app} demande l’accès à l’un de vos comptes.',
    asksForAccessAnyUnnamed: 'L’application d’où vous venez demande l’accès à l’un de vos comptes.',
    usedFor: 'Ce que vous autorisez est utilisé dans {app} pour {who}.',
    usedForUnnamed: 'Ce que vous autorisez est utilisé dans l’application d’où vous venez pour {who}.',
    whoOfOrganization: '{who}, {organization}',
    userWithId: 'l’utilisateur {id}',
    notYou:
      'Si ce n’est pas vous, ou si vous n’avez rien demandé, fermez cette page : quelqu’un d’autre aurait accès à votre compte.',
    notAsked: 'Si vous n’avez rien demandé, fermez cette page : quelqu’un d’autre aurait accès à votre compte.',
    connected: 'Connecté',
    connectedPartly: 'Connecté, avec moins d’accès',
    oneStepLeft: 'Encore une étape dans l’application',
    fileSelected: { one: 'Fichier sélectionné', other: 'Fichiers sélectionnés' },
    nothingConnected: 'Rien n’a été connecté',
    cannot: 'Vous n’avez pas tout autorisé ; l’application ne peut donc pas :',
  },
  session: {
    title: 'Connecter votre compte',
    loading: 'Chargement…',
    needsScript:
      'Cette page a besoin de JavaScript pour lire votre lien de connexion. Activez-le, puis rouvrez le lien.',
    cookiesBlocked:
      'Votre navigateur n’enregistre pas de cookies pour cette page : vous ne pourriez donc pas revenir de {provider}. Autorisez les cookies ici ou ouvrez le lien dans un autre navigateur.',
    unreachable: 'La passerelle est injoignable. Vérifiez votre connexion à Internet, puis réessayez.',
    answered: 'La passerelle a répondu {status}. Réessayez dans un instant.',
    incomplete: 'Ce lien est incomplet',
    incompleteAdvice: 'Retournez dans l’application et rouvrez son lien, ou demandez-en un nouveau.',
    over: 'Ce lien ne fonctionne pas',
    expired: 'Ce lien a expiré',
    expiredAdvice: 'Retournez dans l’application et demandez-en un nouveau.',
    notLoaded: 'Cette page n’a pas pu être chargée',
    sending: 'Redirection vers {provider}…',
    choose: 'Choisissez ce que vous voulez connecter',
    chooseAgain: 'Choisissez ce que vous voulez reconnecter',
    connectServiceAgain: 'Reconnecter {service}',
    selectFilesIn: 'Sélectionner des fichiers dans {service}',
    asksForFiles:
      '{app} vous demande de sélectionner des fichiers. L’application pourra travailler avec ceux-là, et avec aucun autre.',
    asksForFilesUnnamed:
      'L’application d’où vous venez vous demande de sélectionner des fichiers. L’application pourra travailler avec ceux-là, et avec aucun autre.',
    notYouFiles:
      'Si ce n’est pas vous, ou si vous n’avez rien demandé, fermez cette page : quelqu’un d’autre aurait accès à vos fichiers.',
    notAskedFiles: 'Si vous n’avez rien demandé, fermez cette page : quelqu’un d’autre aurait accès à vos fichiers.',
    useAccount: 'Utilisez le compte {account}.',
    alsoAsksFor: 'L’application souhaite désormais aussi :',
    mayAlready: 'L’application peut déjà :',
    alreadyStarted: 'Vous avez déjà commencé, ici ou dans un autre onglet. Terminez là-bas ou recommencez ici.',
    noFileSelected: 'Aucun fichier n’a été sélectionné et rien n’a changé.',
    nothingSetUp: 'L’application n’a encore rien prévu à connecter. Son développeur doit ajouter une intégration.',
    notOffered:
      '{provider} n’accepte pas cette application pour le moment ; rien ne peut donc être connecté. Le développeur de l’application doit corriger ses paramètres chez {provider} ; d’ici là, réessayer ne sert à rien.',
    googleAsksForFiles: 'Google vous demande si vous l’autorisez, puis affiche vos fichiers.',
    googleAsks: 'Google affiche à nouveau ces autorisations, et vous pouvez en décocher.',
    providerAsks: '{provider} vous demandera votre accord avant que l’application ait accès.',
    backWithoutFiles: 'Retour sans sélectionner de fichiers',
    backWithoutConnecting: 'Retour sans connecter',
    filesReady: {
      one: 'L’application peut travailler avec le fichier que vous avez sélectionné.',
      other: 'L’application peut travailler avec les {count} fichiers que vous avez sélectionnés.',
    },
    filesLost: {
      one: 'Vous avez sélectionné un fichier. L’application n’a pas pu l’ouvrir.',
      other: 'Vous avez sélectionné {count} fichiers. L’application n’a pas pu les ouvrir.',
    },
    filesPartlyLost: {
      one: 'Vous avez sélectionné {count} fichier. L’application n’a pas pu en ouvrir {lost}.',
      other: 'Vous avez sélectionné {count} fichiers. L’application n’a pas pu en ouvrir {lost}.',
    },
    accountConnected: 'Votre compte est connecté.',
    accountReady: 'Votre compte est prêt. L’application le connectera à votre retour.',
    timedOut:
      'Google ne vous a pas renvoyé ici dans les dix minutes. S’il a affiché une erreur, voyez ci-dessous ; sinon, réessayez.',
    timedOutElsewhere: 'Le délai de dix minutes est dépassé. Réessayez.',
    notConfirmed:
      'L’application n’a pas fini de connecter votre compte à temps ; elle n’a donc reçu aucun accès. Demandez-lui un nouveau lien.',
  },
  admin: {
    title: 'Autoriser {app} pour votre organisation',
    titleUnnamed: 'Autoriser une application pour votre organisation',
    forOrganization: 'Ce lien est destiné à {organization}.',
    who: 'Seul un super-administrateur Google Workspace peut le faire. Si vous ne l’êtes pas, transmettez-lui ce lien. Il est valable jusqu’au {until}.',
    means:
      'Ce que vous ajoutez permet à l’application de faire ceci pour tous les utilisateurs de votre domaine, sans leur demander :',
    notAsked: 'Si vous ne vous y attendez pas, fermez cette page et n’ajoutez rien.',
    list: '1. Ajouter l’application chez Google',
    listAdvice:
      'Le formulaire de Google s’ouvre avec les deux champs remplis. Comparez-les avec ceux-ci et autorisez. Laissez tel quel ce qui y figure déjà. Si plusieurs administrateurs doivent être d’accord, un deuxième confirme.',
    openForm: 'Ouvrir le formulaire de Google',
    clientId: 'ID client',
    scopes: 'Champs d’application OAuth',
    copyClientId: 'Copier l’ID client',
    copyScopes: 'Copier les champs d’application',
    copied: 'Copié',
    check: '2. Vérifier',
    address: 'Adresse e-mail d’un utilisateur de votre domaine',
    checkNow: 'Vérifier',
    checking: 'Interrogation de Google…',
    works: 'Cela fonctionne',
    worksFor: 'L’application peut agir pour les utilisateurs de {domain}.',
    listed: 'ajouté',
    notListed: 'non ajouté',
    notKnown: 'inconnu',
    causes: {
      delegation_pending:
        'Pas encore : Google n’en sait rien. Si vous venez d’ajouter l’application, attendez : il faut quelques minutes, et jusqu’à 24 heures. Vérifiez ensuite à nouveau.',
      delegation_incomplete:
        'Il manque quelque chose. Rouvrez le formulaire et ajoutez les champs d’application qui n’y figurent pas.',
      account_restricted:
        'Google ou vos paramètres restreignent cet utilisateur. Essayez une autre adresse ou levez la restriction.',
      admin_restricted:
        'Les commandes des API de votre domaine bloquent l’application. Marquez-y son ID client comme fiable (Sécurité, Commandes des API, Contrôle d’accès des applications).',
      account_unavailable: 'Cet utilisateur a été suspendu ou supprimé. Essayez une autre adresse.',
      subject_unknown:
        'Google ne connaît aucun utilisateur avec cette adresse. Saisissez une adresse principale, pas un alias ni un groupe.',
      subject_not_allowed:
        'L’application n’attend pas d’utilisateurs avec cette adresse. Vérifiez l’orthographe ou indiquez votre domaine au développeur de l’application.',
      taken: 'Ce domaine ne peut pas être vérifié avec ce lien. Adressez-vous à l’application qui vous a envoyé ici.',
      app_fault:
        'L’application n’est pas correctement configurée chez Google. Son développeur doit y remédier ; l’ajouter de nouveau n’y change rien.',
      too_many: 'Vous avez vérifié trop souvent. Attendez une minute.',
      not_asked: 'Google n’a pas pu être interrogé. Réessayez dans une minute.',
    },
  },
  frame: {
    openInTab: 'Ouvrir dans un nouvel onglet',
    blocked: 'Votre navigateur a bloqué la fenêtre',
    blockedAdvice: 'Ouvrez vous-même la page de connexion :',
    cancel: 'Annuler',
    close: 'Fermer',
    done: 'Terminé',
    showWindow: 'Afficher la fenêtre',
    otherWindow: 'Continuez dans l’autre fenêtre',
    otherWindowAdvice: 'Cette page reprendra quand vous aurez terminé là-bas.',
    ownWindow: 'Vous donnez votre accord dans une fenêtre à part.',
    oneStepLeft: 'Encore une étape',
    accountReady: 'Votre compte est prêt. L’application le connecte maintenant.',
    accountConnected: 'Votre compte est connecté.',
    sessionExpired: 'Le lien de connexion a expiré.',
    startAgain: 'Fermez cette fenêtre et recommencez.',
    windowClosed: 'La fenêtre a été fermée avant que vous ayez terminé.',
  },
  googleErrors: {
    question: 'Google a affiché une erreur ?',
    answer: 'Dans ce cas, Google ne vous a pas renvoyé ici. Voici ce que signifie son erreur :',
    notVerified: {
      name: 'access_denied, « n’a pas terminé la procédure de validation de Google »',
      meaning:
        'L’application est encore en test. Son développeur doit ajouter votre compte aux utilisateurs test ou publier l’application.',
    },
    adminPolicy: {
      name: 'admin_policy_enforced',
      meaning:
        'Votre organisation bloque l’application. Demandez à votre administrateur Google Workspace de l’autoriser.',
    },
    orgInternal: {
      name: 'org_internal',
      meaning: 'L’application est réservée aux membres de sa propre organisation. Choisissez un compte de celle-ci.',
    },
    blocked: {
      name: '« Cette application est bloquée »',
      meaning:
        'Google ne laisse pas cette application accéder aux données demandées, parce qu’il ne l’a pas validée ou parce que votre compte relève de la Protection Avancée. Le développeur doit faire valider l’application ; un compte sous Protection Avancée ne peut pas y être connecté.',
    },
    disabled: {
      name: 'disabled_client',
      meaning:
        'Google a désactivé l’application, ou n’y admet plus de nouveaux utilisateurs avant de l’avoir validée. Son développeur doit régler cela avec Google ; réessayer ne sert à rien.',
    },
    misconfigured: {
      name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
      meaning:
        'L’application n’est pas correctement configurée chez Google. Son développeur doit la corriger ; réessayer ne sert à rien.',
    },
    userAgent: {
      name: 'disallowed_useragent',
      meaning:
        'Google n’autorise pas la connexion depuis cette application. Ouvrez le lien dans un navigateur comme Chrome, Safari ou Firefox.',
    },
    rateLimit: {
      name: 'rate_limit_exceeded',
      meaning: 'Trop de personnes se connectent en même temps. Attendez quelques minutes, puis réessayez.',
    },
  },
  result: {
    goOnInApp: 'Continuer dans l’application',
    serviceConnected: '{service} est connecté.',
    accountConnected: '{service} de {account} est connecté.',
    serviceReady: '{service} est prêt. L’application le connectera à votre retour.',
    accountReady: '{service} de {account} est prêt. L’application le connectera à votre retour.',
    willNotBeAble: 'Vous n’avez pas tout autorisé ; l’application ne pourra donc pas :',
    filesUsable: {
      one: 'L’application peut maintenant travailler avec le fichier que vous avez sélectionné.',
      other: 'L’application peut maintenant travailler avec les {count} fichiers que vous avez sélectionnés.',
    },
    filesUsableOf: {
      one: 'L’application peut maintenant travailler avec le fichier que vous avez sélectionné dans le Drive de {account}.',
      other:
        'L’application peut maintenant travailler avec les {count} fichiers que vous avez sélectionnés dans le Drive de {account}.',
    },
    filesChosen: { one: 'Vous avez sélectionné un fichier.', other: 'Vous avez sélectionné {count} fichiers.' },
    filesChosenOf: {
      one: 'Vous avez sélectionné un fichier dans le Drive de {account}.',
      other: 'Vous avez sélectionné {count} fichiers dans le Drive de {account}.',
    },
    noneOpened: {
      one: 'L’application n’a pas pu l’ouvrir. Elle sait de quel fichier il s’agit.',
      other: 'L’application n’a pas pu les ouvrir. Elle sait de quels fichiers il s’agit.',
    },
    someNotOpened: 'L’application n’a pas pu en ouvrir {lost}. Elle sait lesquels.',
    stranded: 'Rien n’est connecté',
    strandedHappened:
      'Cette page ne peut pas joindre l’application ; ce que vous avez autorisé n’est donc pas utilisé et expire dans les 15 minutes.',
    strandedNext: 'Retournez dans l’application et recommencez-y. Si cela se reproduit, prévenez son développeur.',
    providerSaid: '{provider} a répondu : {words}',
    detail: 'Détail : {words}',
    openLinkAgain: 'Pour réessayer, rouvrez le lien depuis l’application.',
  },
  problems: {
    title: 'Cela n’a pas fonctionné',
    advice:
      'Rien n’a été connecté. Retournez dans l’application d’où vous venez ; si cela se reproduit, prévenez son développeur.',
    link_not_valid:
      'Ce lien de connexion n’est pas valable ou a été retiré. Demandez-en un nouveau à l’application d’où vous venez.',
    link_expired: 'Ce lien de connexion a expiré. Demandez-en un nouveau à l’application d’où vous venez.',
    link_not_confirmed:
      'L’application n’a pas confirmé le résultat de ce lien de connexion. Demandez-lui-en un nouveau.',
    link_used: 'Ce lien de connexion a déjà servi. Demandez-en un nouveau à l’application d’où vous venez.',
    link_started_elsewhere:
      'Ce lien de connexion a d’abord été ouvert dans un autre navigateur, et seul celui-ci peut terminer. Continuez-y, ou demandez un nouveau lien à l’application.',
    link_started_too_often:
      'Ce lien de connexion a été lancé trop souvent. Demandez-en un nouveau à l’application d’où vous venez.',
    link_outdated:
      'L’application ne demande plus l’accès pour lequel ce lien de connexion a été créé. Demandez-lui-en un nouveau.',
    connection_deleted: 'La connexion a été supprimée. Reconnectez le compte depuis l’application.',
    too_many: 'Trop de personnes se connectent en même temps. Attendez une minute, puis réessayez.',
    app_not_ready:
      'L’application n’est pas entièrement configurée. Son développeur doit y remédier ; réessayer ne sert à rien.',
    foreign_page: 'Seule la page du lien de connexion peut lancer cette étape. Rouvrez le lien depuis l’application.',
    bad_address:
      'L’adresse que vous avez ouverte n’est pas correcte. Le développeur de l’application doit la corriger :',
    gateway_failed: 'La passerelle a rencontré une erreur. Retournez dans l’application et réessayez.',
  },
  failures: {
    malformed_answer: {
      title: 'La réponse est illisible',
      happened: 'L’adresse de retour est incomplète ou a été modifiée en chemin. Rien n’a été connecté.',
      next: AGAIN,
    },
    unknown_state: {
      title: 'Cette étape est déjà terminée',
      happened: 'Cette connexion a déjà été achevée, ou n’a jamais été commencée ici. La rouvrir n’a rien changé.',
      next: 'Si votre compte n’est pas encore connecté, réessayez.',
    },
    other_browser: {
      title: 'Commencé dans un autre navigateur',
      happened:
        'Cette connexion a été commencée dans un autre navigateur, ou celui-ci a effacé ses cookies. Rien n’a été connecté.',
      next: 'Si vous l’avez commencée vous-même, rouvrez le lien depuis l’application, dans le navigateur que vous voulez utiliser. Sinon, fermez cette page.',
    },
    timed_out: {
      title: 'Cela a pris trop de temps',
      happened: 'Une connexion doit être achevée en dix minutes. Rien n’a été connecté.',
      next: AGAIN,
    },
    session_ended: {
      title: 'Ce lien n’est plus valable',
      happened: 'L’application a retiré le lien auquel appartient cette connexion. Rien n’a été connecté.',
      next: 'Retournez dans l’application et demandez-en un nouveau.',
    },
    session_used: {
      title: 'Ce lien a déjà servi',
      happened: 'Un compte a déjà été connecté avec ce lien. Cette connexion n’a rien changé.',
      next: 'Pour connecter un autre compte, retournez dans l’application et demandez un nouveau lien.',
    },
    other_issuer: {
      title: 'La réponse vient d’ailleurs',
      happened:
        'La réponse vient d’un autre fournisseur que celui auquel la demande a été adressée ; elle n’a donc pas été utilisée. Rien n’a été connecté.',
      next: AGAIN,
    },
    refused: {
      title: 'Vous n’avez pas accordé l’accès',
      happened: '{provider} indique que l’accès n’a pas été accordé ; rien n’a donc été connecté.',
      next: 'Si ce n’était pas votre intention, réessayez et choisissez « Autoriser ».',
    },
    pick_cancelled: {
      title: 'Aucun fichier n’a été sélectionné',
      happened: 'Vous avez quitté la sélection sans choisir de fichier. Rien n’a changé.',
      next: 'Si ce n’était pas votre intention, réessayez et sélectionnez-en au moins un.',
    },
    admin_blocked: {
      title: 'Votre organisation n’autorise pas cette application',
      happened:
        'L’administrateur de votre organisation a bloqué cette application ou l’accès qu’elle demande. Rien n’a été connecté.',
      next: 'Demandez à votre administrateur d’autoriser l’application, puis réessayez.',
    },
    account_restricted: {
      title: '{provider} restreint ce compte',
      happened:
        '{provider} n’autorise pas les applications à utiliser ce compte pour le moment : {provider} ou votre administrateur l’a restreint. Rien n’a été connecté.',
      next: 'Voyez dans votre compte ce qui vous est demandé, ou adressez-vous à votre administrateur, puis réessayez.',
    },
    account_protected: {
      title: 'Ce compte est spécialement protégé',
      happened:
        '{provider} protège ce compte d’une façon qui empêche l’application d’y accéder. Rien n’a été connecté.',
      next: 'Connectez un autre compte. Avec celui-ci, réessayer ne servira qu’une fois cette protection levée.',
    },
    organization_only: {
      title: 'L’application est réservée aux comptes de son organisation',
      happened:
        'Chez {provider}, cette application n’admet que les comptes de l’organisation qui l’a créée, et le compte choisi n’en fait pas partie. Rien n’a été connecté.',
      next: `Réessayez avec un compte de cette organisation. ${DEVELOPER} ouvrir l’application chez {provider} si d’autres doivent l’utiliser.`,
    },
    sign_in_needed: {
      title: '{provider} vous demande de choisir un compte',
      happened: '{provider} ne pouvait pas continuer sans vous poser d’abord une question. Rien n’a été connecté.',
      next: 'Réessayez et suivez les étapes affichées.',
    },
    provider_trouble: {
      title: '{provider} a rencontré un problème',
      happened: '{provider} n’a pas pu répondre à la demande. Rien n’a été connecté.',
      next: 'Attendez une minute, puis réessayez.',
    },
    app_misconfigured: {
      title: 'L’application n’est pas bien configurée',
      happened: '{provider} n’accepte pas la façon dont cette application demande l’accès. Rien n’a été connecté.',
      next: `${DEVELOPER} corriger ses paramètres chez {provider}. Indiquez-lui ce que {provider} a répondu.`,
    },
    app_disabled: {
      title: '{provider} a désactivé l’application',
      happened: '{provider} a désactivé la connexion à cette application. Rien n’a été connecté.',
      next: `${DEVELOPER} vérifier ce point chez {provider}. Indiquez-lui ce que {provider} a répondu.`,
    },
    provider_refused: {
      title: '{provider} n’a pas accordé l’accès',
      happened: '{provider} a mis fin à la connexion sans accorder l’accès. Rien n’a été connecté.',
      next: 'Réessayez. Si cela se reproduit, indiquez au développeur de l’application ce que {provider} a répondu.',
    },
    integration_gone: {
      title: 'Cette connexion n’est plus proposée',
      happened: 'L’application a retiré cette intégration pendant que vous la connectiez. Rien n’a été connecté.',
      next: 'Retournez dans l’application ; son développeur peut vous dire ce qui la remplace.',
    },
    integration_changed: {
      title: 'L’application a changé entre-temps',
      happened:
        'Le développeur a modifié ce que cette application demande ; votre réponse n’y correspond plus. Rien n’a été connecté.',
      next: 'Réessayez pour voir ce qu’elle demande maintenant.',
    },
    credentials_missing: {
      title: 'L’application n’est pas entièrement configurée',
      happened: 'L’application n’a pas de client OAuth utilisable pour cela. Rien n’a été connecté.',
      next: `${DEVELOPER} ajouter son propre client OAuth à l’intégration.`,
    },
    client_rejected: {
      title: '{provider} n’accepte pas l’application',
      happened: '{provider} refuse le client OAuth de cette application. Rien n’a été connecté.',
      next: `${DEVELOPER} corriger son ID client, son code secret ou son URI de redirection. Indiquez-lui ce que {provider} a répondu.`,
    },
    code_rejected: {
      title: '{provider} n’a pas accepté la réponse',
      happened: 'Le code à usage unique de cette connexion n’a pas été accepté. Rien n’a été connecté.',
      next: AGAIN,
    },
    provider_unreachable: {
      title: '{provider} est injoignable',
      happened: 'La dernière étape, avec {provider}, vient d’échouer. Rien n’a été connecté.',
      next: 'Attendez une minute, puis réessayez.',
    },
    no_refresh_token: {
      title: '{provider} n’a donné accès que pour peu de temps',
      happened:
        '{provider} n’a pas envoyé d’autorisation durable ; la connexion aurait bientôt pris fin. Elle n’a pas été enregistrée.',
      next: 'Réessayez. Si cela se reproduit, supprimez d’abord l’application dans votre compte {provider}.',
    },
    only_sign_in: {
      title: 'Aucune autorisation n’était cochée',
      happened:
        'Vous vous êtes connecté, mais vous n’avez rien accordé dont l’application puisse se servir. Rien n’a été connecté.',
      next: 'Réessayez et cochez au moins une autorisation.',
    },
    account_unproven: {
      title: 'Le compte n’a pas pu être confirmé',
      happened: '{provider} n’a pas prouvé de quel compte il s’agit ; il n’a donc pas été utilisé. Rien n’a changé.',
      next: AGAIN,
    },
    wrong_account: {
      title: 'C’est un autre compte {provider}',
      happened: 'Cette connexion est celle de {expected}, mais vous avez choisi {chosen}. Rien n’a changé.',
      next: 'Réessayez avec le compte de la connexion : {expected}. Pour connecter l’autre compte, retournez dans l’application.',
    },
    wrong_domain: {
      title: 'Ce compte n’appartient pas à la bonne organisation',
      happened:
        'L’application n’accepte que les comptes Google de {domain}, mais vous avez choisi {chosen}. Rien n’a été connecté.',
      next: 'Réessayez avec votre compte de {domain}.',
    },
    no_organization: {
      title: 'Ce compte n’appartient pas à la bonne organisation',
      happened:
        'L’application n’accepte que les comptes Google d’une organisation (Google Workspace), mais vous avez choisi {chosen}. Rien n’a été connecté.',
      next: 'Réessayez avec votre compte professionnel ou scolaire.',
    },
    connection_deleted: {
      title: 'La connexion n’existe plus',
      happened: 'La connexion a été supprimée pendant que vous vous connectiez. Rien n’a été connecté.',
      next: 'Retournez dans l’application et reconnectez le compte.',
    },
    connection_ended: {
      title: 'La connexion a pris fin',
      happened: '{provider} n’accepte plus la connexion à laquelle les fichiers étaient destinés. Rien n’a changé.',
      next: 'Retournez dans l’application, reconnectez le compte, puis sélectionnez les fichiers.',
    },
    changed_meanwhile: {
      title: 'La connexion a été modifiée entre-temps',
      happened: 'La connexion a été modifiée au même moment, à plusieurs reprises. Rien n’a été enregistré.',
      next: AGAIN,
    },
    internal: {
      title: 'Un problème est survenu de notre côté',
      happened: 'La connexion n’a pas pu être établie. Rien n’a été enregistré.',
      next: 'Réessayez. Si cela se reproduit, indiquez au développeur de l’application le numéro de requête ci-dessous.',
    },
  },
  failuresAt: {
    google: {
      admin_blocked: {
        title: 'Votre organisation n’autorise pas cette application',
        happened:
          'L’administrateur de votre Google Workspace a bloqué cette application ou l’accès qu’elle demande. Rien n’a été connecté.',
        next: 'Demandez à votre administrateur d’autoriser l’application dans la console d’administration Google, puis réessayez.',
      },
      account_restricted: {
        title: 'Google restreint ce compte',
        happened:
          'Google n’autorise pas les applications à utiliser ce compte pour le moment : Google lui-même ou votre administrateur l’a restreint. Rien n’a été connecté.',
        next: 'Voyez sur myaccount.google.com ce que Google attend de vous, ou adressez-vous à votre administrateur, puis réessayez.',
      },
      account_protected: {
        title: 'Votre compte bénéficie de la Protection Avancée',
        happened:
          'Votre compte Google fait partie du programme Protection Avancée, qui refuse les applications que Google n’a pas approuvées pour lui. Rien n’a été connecté.',
        next: 'Connectez un autre compte Google. Avec celui-ci, réessayer ne servira qu’une fois que vous aurez quitté le programme.',
      },
      organization_only: {
        title: 'L’application est réservée aux comptes de son organisation',
        happened:
          'Chez Google, cette application n’admet que les comptes de l’organisation qui l’a créée, et le compte choisi n’en fait pas partie. Rien n’a été connecté.',
        next: 'Réessayez avec un compte de cette organisation. Si d’autres doivent l’utiliser, son développeur doit régler l’audience sur « Externe » dans la console Google Cloud.',
      },
      sign_in_needed: {
        title: 'Google vous demande de choisir un compte',
        happened: 'Google ne pouvait pas continuer sans vous poser d’abord une question. Rien n’a été connecté.',
        next: 'Réessayez et suivez les étapes sur les pages de Google.',
      },
      app_misconfigured: {
        title: 'L’application n’est pas correctement configurée',
        happened: 'Google n’accepte pas la façon dont cette application demande l’accès. Rien n’a été connecté.',
        next: `${DEVELOPER} corriger ses paramètres dans la console Google Cloud. Indiquez-lui la réponse de Google.`,
      },
      app_disabled: {
        title: 'Google a désactivé l’application',
        happened:
          'Google a désactivé la connexion à cette application, ou n’y admet plus de nouveaux utilisateurs avant sa validation. Rien n’a été connecté.',
        next: `${DEVELOPER} vérifier ce point dans la console Google Cloud. Indiquez-lui la réponse de Google.`,
      },
      no_refresh_token: {
        title: 'Google n’a donné accès que pour une heure',
        happened:
          'Google n’a pas envoyé d’autorisation durable ; la connexion aurait pris fin au bout d’une heure. Elle n’a pas été enregistrée.',
        next: 'Réessayez. Si cela se reproduit, supprimez d’abord l’application sur myaccount.google.com/connections.',
      },
    },
  },
  unknownAccounts: { expected: 'un autre compte {provider}', chosen: 'un compte différent' },
  services: { 'google-drive': 'Google Drive', 'google-calendar': 'Google Agenda' },
  scopes: {
    'drive.file': 'Voir, modifier, créer et supprimer uniquement les fichiers Drive utilisés avec cette application.',
    'drive.appdata': 'Voir, créer et supprimer ses propres données de configuration dans Drive.',
    'drive.install': 'Apparaître dans Drive comme application qui ouvre des fichiers.',
    'drive.apps.readonly': 'Voir quelles applications Drive sont installées.',
    drive: 'Voir, modifier, créer et supprimer tous les fichiers Drive.',
    'drive.readonly': 'Voir et télécharger tous les fichiers Drive.',
    'drive.metadata': 'Voir et gérer les métadonnées des fichiers Drive.',
    'drive.metadata.readonly': 'Voir des informations sur les fichiers Drive, sans leur contenu.',
    'drive.meet.readonly': 'Voir et télécharger les fichiers Drive créés ou modifiés par Google Meet.',
    'drive.scripts': 'Modifier le comportement des scripts Apps Script du compte.',
    'drive.activity': 'Voir l’activité des fichiers Drive et la compléter.',
    'drive.activity.readonly': 'Voir l’activité des fichiers Drive.',
    'calendar.app.created': 'Créer des agendas secondaires et gérer uniquement ceux-là.',
    'calendar.calendarlist.readonly': 'Voir à quels agendas le compte est abonné.',
    'calendar.events.freebusy': 'Voir les disponibilités dans les agendas que le compte peut voir.',
    'calendar.events.public.readonly': 'Voir les événements des agendas publics.',
    'calendar.freebusy': 'Voir quand le compte est libre ou occupé.',
    'calendar.settings.readonly': 'Voir les paramètres de Google Agenda.',
    calendar: 'Voir, modifier, partager et supprimer tous les agendas.',
    'calendar.readonly': 'Voir tous les agendas et leurs événements.',
    'calendar.events': 'Voir et modifier les événements de tous les agendas.',
    'calendar.events.readonly': 'Voir les événements de tous les agendas.',
    'calendar.events.owned': 'Voir, créer, modifier et supprimer les événements des agendas du compte.',
    'calendar.events.owned.readonly': 'Voir les événements des agendas du compte.',
    'calendar.calendarlist': 'Voir, ajouter et supprimer des abonnements à des agendas.',
    'calendar.calendars': 'Voir et modifier les propriétés des agendas et en créer de secondaires.',
    'calendar.calendars.readonly': 'Voir le titre, la description et le fuseau horaire des agendas.',
    'calendar.acls': 'Voir et modifier avec qui les agendas sont partagés.',
    'calendar.acls.readonly': 'Voir avec qui les agendas sont partagés.',
  },
};
