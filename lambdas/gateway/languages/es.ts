import type { Translation } from './language.rules.ts';

const DEVELOPER = 'El desarrollador de la aplicación de la que vienes tiene que';
const AGAIN = 'Vuelve a intentarlo.';

/** Spanish. */
export const es: Translation = {
  common: {
    backToApp: 'Volver a la aplicación',
    leaveItSo: 'Dejarlo así',
    tryAgain: 'Volver a intentarlo',
    askAgain: 'Volver a elegir',
    selectFiles: 'Seleccionar archivos',
    canClose: 'Puedes cerrar esta página.',
    requestNumber: 'Solicitud {id}',
    continueWithGoogle: 'Continuar con Google',
    continueWith: 'Continuar con {provider}',
    connectService: 'Conectar {service}',
    asksFor: 'La aplicación quiere:',
    asksForAccess: '{app} solicita acceso a tu cuenta de {provider}.',
    asksForAccessUnnamed: 'La aplicación de la que vienes solicita acceso a tu cuenta de {provider}.',
    asksForAccessAny: '{app} solicita acceso a una de tus cuentas.',
    asksForAccessAnyUnnamed: 'La aplicación de la que vienes solicita acceso a una de tus cuentas.',
    usedFor: 'Lo que permitas se usará en {app} para {who}.',
    usedForUnnamed: 'Lo que permitas se usará en la aplicación de la que vienes para {who}.',
    whoOfOrganization: '{who}, {organization}',
    userWithId: 'el usuario {id}',
    notYou:
      'Si no eres tú o no lo has pedido, cierra esta página: de lo contrario, otra persona obtendría acceso a tu cuenta.',
    notAsked: 'Si no lo has pedido, cierra esta página: de lo contrario, otra persona obtendría acceso a tu cuenta.',
    connected: 'Conectado',
    connectedPartly: 'Conectado, con menos acceso',
    oneStepLeft: 'Falta un paso en la aplicación',
    fileSelected: { one: 'Archivo seleccionado', other: 'Archivos seleccionados' },
    nothingConnected: 'No se ha conectado nada',
    cannot: 'No lo has permitido todo, así que la aplicación no puede:',
  },
  session: {
    title: 'Conecta tu cuenta',
    loading: 'Cargando…',
    needsScript:
      'Esta página necesita JavaScript para leer tu enlace de conexión. Actívalo y vuelve a abrir el enlace.',
    cookiesBlocked:
      'Tu navegador no guarda cookies de esta página, así que no podrías volver desde {provider}. Permite las cookies aquí o abre el enlace en otro navegador.',
    unreachable: 'No se puede acceder a la pasarela. Comprueba tu conexión a Internet y vuelve a intentarlo.',
    answered: 'La pasarela ha respondido {status}. Vuelve a intentarlo dentro de un momento.',
    incomplete: 'Este enlace está incompleto',
    incompleteAdvice: 'Vuelve a la aplicación y abre de nuevo su enlace, o pídele uno nuevo.',
    over: 'Este enlace no funciona',
    expired: 'Este enlace ha caducado',
    expiredAdvice: 'Vuelve a la aplicación y pide uno nuevo.',
    notLoaded: 'No se ha podido cargar esta página',
    sending: 'Redirigiendo a {provider}…',
    choose: 'Elige qué quieres conectar',
    chooseAgain: 'Elige qué quieres volver a conectar',
    connectServiceAgain: 'Volver a conectar {service}',
    selectFilesIn: 'Seleccionar archivos en {service}',
    asksForFiles: '{app} te pide que selecciones archivos. Después podrá trabajar con esos y con ningún otro.',
    asksForFilesUnnamed:
      'La aplicación de la que vienes te pide que selecciones archivos. Después podrá trabajar con esos y con ningún otro.',
    notYouFiles:
      'Si no eres tú o no lo has pedido, cierra esta página: de lo contrario, otra persona obtendría acceso a tus archivos.',
    notAskedFiles:
      'Si no lo has pedido, cierra esta página: de lo contrario, otra persona obtendría acceso a tus archivos.',
    useAccount: 'Usa la cuenta {account}.',
    alsoAsksFor: 'La aplicación ahora también quiere:',
    mayAlready: 'La aplicación ya puede:',
    alreadyStarted: 'Ya has empezado, aquí o en otra pestaña. Termina allí o empieza de nuevo aquí.',
    noFileSelected: 'No se ha seleccionado ningún archivo y no ha cambiado nada.',
    nothingSetUp:
      'La aplicación todavía no ha preparado nada que conectar. Su desarrollador tiene que añadir una integración.',
    notOffered:
      '{provider} no acepta esta aplicación en este momento, así que no se puede conectar nada. El desarrollador de la aplicación tiene que corregir su configuración en {provider}; hasta entonces, volver a intentarlo no servirá de nada.',
    googleAsksForFiles: 'Google te preguntará si lo permites y después mostrará tus archivos.',
    googleAsks: 'Google volverá a mostrar estos permisos, y podrás desmarcar algunos.',
    providerAsks: '{provider} te pedirá permiso antes de que la aplicación tenga acceso.',
    backWithoutFiles: 'Volver sin seleccionar archivos',
    backWithoutConnecting: 'Volver sin conectar',
    filesReady: {
      one: 'La aplicación puede trabajar con el archivo que has seleccionado.',
      other: 'La aplicación puede trabajar con los {count} archivos que has seleccionado.',
    },
    filesLost: {
      one: 'Has seleccionado un archivo. La aplicación no ha podido abrirlo.',
      other: 'Has seleccionado {count} archivos. La aplicación no ha podido abrirlos.',
    },
    filesPartlyLost: {
      one: 'Has seleccionado {count} archivo. La aplicación no ha podido abrir {lost}.',
      other: 'Has seleccionado {count} archivos. La aplicación no ha podido abrir {lost} de ellos.',
    },
    accountConnected: 'Tu cuenta está conectada.',
    accountReady: 'Tu cuenta está lista. La aplicación la conectará cuando vuelvas a ella.',
    timedOut:
      'Han pasado diez minutos y Google no te ha traído de vuelta. Si ha mostrado un error, consúltalo más abajo; si no, vuelve a intentarlo.',
    timedOutElsewhere: 'Han pasado más de diez minutos. Vuelve a intentarlo.',
    notConfirmed:
      'La aplicación no terminó de conectar tu cuenta a tiempo, así que no ha recibido ningún acceso. Pídele un enlace nuevo.',
  },
  admin: {
    title: 'Autorizar {app} para su organización',
    titleUnnamed: 'Autorizar una aplicación para su organización',
    forOrganization: 'Este enlace es para {organization}.',
    who: 'Solo puede hacerlo un superadministrador de Google Workspace. Si usted no lo es, reenvíele este enlace. Es válido hasta el {until}.',
    means:
      'Lo que añada permite a la aplicación hacer lo siguiente por todos los usuarios de su dominio, sin preguntarles:',
    notAsked: 'Si no lo esperaba, cierre esta página y no añada nada.',
    list: '1. Añadir la aplicación en Google',
    listAdvice:
      'El formulario de Google se abre con los dos campos rellenos. Compárelos con estos y autorice. Deje lo que ya figure tal como está. Si varios administradores deben estar de acuerdo, confirma otro.',
    openForm: 'Abrir el formulario de Google',
    clientId: 'ID de cliente',
    scopes: 'Permisos de OAuth',
    copyClientId: 'Copiar el ID de cliente',
    copyScopes: 'Copiar los permisos',
    copied: 'Copiado',
    check: '2. Comprobar',
    address: 'Dirección de correo de cualquier usuario de su dominio',
    checkNow: 'Comprobar',
    checking: 'Preguntando a Google…',
    works: 'Funciona',
    worksFor: 'La aplicación puede actuar por los usuarios de {domain}.',
    listed: 'añadido',
    notListed: 'no añadido',
    notKnown: 'desconocido',
    causes: {
      delegation_pending:
        'Todavía no: Google no sabe nada. Si acaba de añadir la aplicación, espere: tarda unos minutos y hasta 24 horas. Después, compruebe otra vez.',
      delegation_incomplete: 'Falta algo. Abra de nuevo el formulario y añada los permisos que no figuran.',
      account_restricted:
        'Google o su configuración restringe a este usuario. Pruebe otra dirección o retire la restricción.',
      admin_restricted:
        'Los controles de API de su dominio bloquean la aplicación. Marque allí su ID de cliente como de confianza (Seguridad, Controles de API, Control de acceso de aplicaciones).',
      account_unavailable: 'Este usuario fue suspendido o eliminado. Pruebe otra dirección.',
      subject_unknown:
        'Google no conoce ningún usuario con esta dirección. Escriba una dirección principal, no un alias ni un grupo.',
      subject_not_allowed:
        'La aplicación no espera usuarios con esta dirección. Compruebe la ortografía o indique su dominio al desarrollador de la aplicación.',
      taken: 'Este dominio no se puede comprobar con este enlace. Consulte a la aplicación que le envió aquí.',
      app_fault:
        'La aplicación no está bien configurada en Google. Su desarrollador debe corregirlo; añadirla otra vez no sirve.',
      too_many: 'Ha comprobado demasiadas veces. Espere un minuto.',
      not_asked: 'No se pudo preguntar a Google. Inténtelo de nuevo dentro de un minuto.',
    },
  },
  frame: {
    openInTab: 'Abrir en una pestaña nueva',
    blocked: 'Tu navegador ha bloqueado la ventana',
    blockedAdvice: 'Abre la página de conexión directamente:',
    cancel: 'Cancelar',
    close: 'Cerrar',
    done: 'Listo',
    showWindow: 'Mostrar la ventana',
    otherWindow: 'Continúa en la otra ventana',
    otherWindowAdvice: 'Esta página seguirá cuando hayas terminado allí.',
    ownWindow: 'El consentimiento se da en una ventana aparte.',
    oneStepLeft: 'Falta un paso',
    accountReady: 'Tu cuenta está lista. La aplicación la está conectando.',
    accountConnected: 'Tu cuenta está conectada.',
    sessionExpired: 'El enlace de conexión ha caducado.',
    startAgain: 'Ciérralo y empieza de nuevo.',
    windowClosed: 'La ventana se ha cerrado antes de que terminaras.',
  },
  googleErrors: {
    question: '¿Google ha mostrado un error?',
    answer: 'En ese caso, Google no te ha traído de vuelta. Esto es lo que significa su error:',
    notVerified: {
      name: 'access_denied, «no ha completado el proceso de verificación de Google»',
      meaning:
        'La aplicación todavía está en pruebas. Su desarrollador tiene que añadir tu cuenta como usuario de prueba o publicar la aplicación.',
    },
    adminPolicy: {
      name: 'admin_policy_enforced',
      meaning: 'Tu organización bloquea la aplicación. Pide a tu administrador de Google Workspace que la permita.',
    },
    orgInternal: {
      name: 'org_internal',
      meaning: 'La aplicación es solo para miembros de su propia organización. Elige una cuenta de esa organización.',
    },
    blocked: {
      name: '«Esta aplicación está bloqueada»',
      meaning:
        'Google no deja que esta aplicación acceda a los datos que solicita porque no la ha revisado o porque tu cuenta está en Protección Avanzada. El desarrollador tiene que hacer que la verifiquen; una cuenta con Protección Avanzada no se puede conectar a ella.',
    },
    disabled: {
      name: 'disabled_client',
      meaning:
        'Google ha desactivado la aplicación o no admite más usuarios nuevos hasta que la haya revisado. Su desarrollador tiene que resolverlo con Google; volver a intentarlo no sirve de nada.',
    },
    misconfigured: {
      name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
      meaning:
        'La aplicación no está bien configurada en Google. Su desarrollador tiene que corregirlo; volver a intentarlo no sirve de nada.',
    },
    userAgent: {
      name: 'disallowed_useragent',
      meaning:
        'Google no permite iniciar sesión dentro de esta aplicación. Abre el enlace en un navegador como Chrome, Safari o Firefox.',
    },
    rateLimit: {
      name: 'rate_limit_exceeded',
      meaning: 'Hay demasiadas personas conectándose a la vez. Espera unos minutos y vuelve a intentarlo.',
    },
  },
  result: {
    goOnInApp: 'Seguir en la aplicación',
    serviceConnected: '{service} está conectado.',
    accountConnected: '{service} de {account} está conectado.',
    serviceReady: '{service} está listo. La aplicación lo conectará cuando vuelvas a ella.',
    accountReady: '{service} de {account} está listo. La aplicación lo conectará cuando vuelvas a ella.',
    willNotBeAble: 'No lo has permitido todo, así que la aplicación no podrá:',
    filesUsable: {
      one: 'La aplicación ya puede trabajar con el archivo que has seleccionado.',
      other: 'La aplicación ya puede trabajar con los {count} archivos que has seleccionado.',
    },
    filesUsableOf: {
      one: 'La aplicación ya puede trabajar con el archivo que has seleccionado en el Drive de {account}.',
      other: 'La aplicación ya puede trabajar con los {count} archivos que has seleccionado en el Drive de {account}.',
    },
    filesChosen: { one: 'Has seleccionado un archivo.', other: 'Has seleccionado {count} archivos.' },
    filesChosenOf: {
      one: 'Has seleccionado un archivo en el Drive de {account}.',
      other: 'Has seleccionado {count} archivos en el Drive de {account}.',
    },
    noneOpened: {
      one: 'La aplicación no ha podido abrirlo. Ya sabe cuál es.',
      other: 'La aplicación no ha podido abrirlos. Ya sabe cuáles son.',
    },
    someNotOpened: 'La aplicación no ha podido abrir {lost} de ellos. Ya sabe cuáles.',
    stranded: 'No hay nada conectado',
    strandedHappened:
      'Esta página no puede comunicarse con la aplicación, así que lo que has permitido no se usa y caduca en menos de 15 minutos.',
    strandedNext: 'Vuelve a la aplicación y empieza allí de nuevo. Si vuelve a ocurrir, avisa a su desarrollador.',
    providerSaid: 'Respuesta de {provider}: {words}',
    detail: 'Detalle: {words}',
    openLinkAgain: 'Para volver a intentarlo, abre otra vez el enlace desde la aplicación.',
  },
  problems: {
    title: 'No ha funcionado',
    advice:
      'No se ha conectado nada. Vuelve a la aplicación de la que vienes; si vuelve a ocurrir, avisa a su desarrollador.',
    link_not_valid:
      'Este enlace de conexión no es válido o se ha retirado. Pide uno nuevo a la aplicación de la que vienes.',
    link_expired: 'Este enlace de conexión ha caducado. Pide uno nuevo a la aplicación de la que vienes.',
    link_not_confirmed: 'La aplicación no ha confirmado el resultado de este enlace de conexión. Pídele uno nuevo.',
    link_used: 'Este enlace de conexión ya se ha usado. Pide uno nuevo a la aplicación de la que vienes.',
    link_started_elsewhere:
      'Este enlace de conexión se abrió antes en otro navegador y solo se puede terminar en él. Continúa allí o pide un enlace nuevo a la aplicación.',
    link_started_too_often:
      'Este enlace de conexión se ha iniciado demasiadas veces. Pide uno nuevo a la aplicación de la que vienes.',
    link_outdated:
      'La aplicación ya no solicita el acceso para el que se creó este enlace de conexión. Pídele uno nuevo.',
    connection_deleted: 'La conexión se ha eliminado. Vuelve a conectar la cuenta desde la aplicación.',
    too_many: 'Hay demasiadas personas conectándose a la vez. Espera un minuto y vuelve a intentarlo.',
    app_not_ready:
      'La aplicación no está completamente configurada. Su desarrollador tiene que corregirlo; volver a intentarlo no sirve de nada.',
    foreign_page:
      'Solo la propia página del enlace de conexión puede iniciar esto. Abre otra vez el enlace desde la aplicación.',
    bad_address: 'La dirección que has abierto no es correcta. El desarrollador de la aplicación tiene que corregirla:',
    gateway_failed: 'La pasarela ha fallado. Regresa a la aplicación e inténtalo de nuevo.',
  },
  failures: {
    malformed_answer: {
      title: 'No se ha podido leer la respuesta',
      happened:
        'La dirección con la que has vuelto está incompleta o se ha modificado por el camino. No se ha conectado nada.',
      next: AGAIN,
    },
    unknown_state: {
      title: 'Este paso ya ha terminado',
      happened:
        'Este inicio de sesión ya se completó, o nunca se empezó aquí. Al abrirlo de nuevo no ha cambiado nada.',
      next: 'Si tu cuenta todavía no está conectada, vuelve a intentarlo.',
    },
    other_browser: {
      title: 'Iniciado en otro navegador',
      happened:
        'Este inicio de sesión se empezó en otro navegador, o este navegador ha borrado sus cookies. No se ha conectado nada.',
      next: 'Si lo empezaste tú, abre otra vez el enlace desde la aplicación en el navegador que quieras usar. Si no, cierra esta página.',
    },
    timed_out: {
      title: 'Ha tardado demasiado',
      happened: 'Un inicio de sesión debe completarse en diez minutos. No se ha conectado nada.',
      next: AGAIN,
    },
    session_ended: {
      title: 'Este enlace ya no vale',
      happened: 'La aplicación ha retirado el enlace al que pertenece este inicio de sesión. No se ha conectado nada.',
      next: 'Vuelve a la aplicación y pide uno nuevo.',
    },
    session_used: {
      title: 'Este enlace ya se ha usado',
      happened: 'Ya se conectó una cuenta con este enlace. Este inicio de sesión no ha cambiado nada.',
      next: 'Para conectar otra cuenta, vuelve a la aplicación y pide un enlace nuevo.',
    },
    other_issuer: {
      title: 'La respuesta viene de otro sitio',
      happened:
        'La respuesta indica un proveedor distinto de aquel al que se te envió, así que no se ha usado. No se ha conectado nada.',
      next: AGAIN,
    },
    refused: {
      title: 'No has concedido el acceso',
      happened: '{provider} indica que no se ha concedido el acceso, así que no se ha conectado nada.',
      next: 'Si no era tu intención, vuelve a intentarlo y elige «Permitir».',
    },
    pick_cancelled: {
      title: 'No se ha seleccionado ningún archivo',
      happened: 'Has vuelto sin seleccionar ningún archivo. No ha cambiado nada.',
      next: 'Si no era tu intención, vuelve a intentarlo y selecciona al menos uno.',
    },
    admin_blocked: {
      title: 'Tu organización no permite esta aplicación',
      happened:
        'El administrador de tu organización ha bloqueado esta aplicación o el acceso que solicita. No se ha conectado nada.',
      next: 'Pide a tu administrador que permita la aplicación y vuelve a intentarlo.',
    },
    account_restricted: {
      title: '{provider} restringe esta cuenta',
      happened:
        '{provider} no deja que las aplicaciones usen esta cuenta en este momento: la ha restringido {provider} o tu administrador. No se ha conectado nada.',
      next: 'Consulta en tu cuenta qué se te pide, o pregunta a tu administrador; después, vuelve a intentarlo.',
    },
    account_protected: {
      title: 'Esta cuenta tiene una protección especial',
      happened:
        '{provider} protege esta cuenta de un modo que impide el acceso de la aplicación. No se ha conectado nada.',
      next: 'Conecta otra cuenta. Con esta solo servirá volver a intentarlo cuando se quite esa protección.',
    },
    organization_only: {
      title: 'La aplicación es solo para cuentas de su propia organización',
      happened:
        'En {provider}, esta aplicación solo admite cuentas de la organización que la creó, y la cuenta que has elegido no es una de ellas. No se ha conectado nada.',
      next: `Inténtalo con una cuenta de esa organización. ${DEVELOPER} abrir la aplicación en {provider} si la van a usar otras personas.`,
    },
    sign_in_needed: {
      title: '{provider} necesita que elijas una cuenta',
      happened: '{provider} no podía continuar sin preguntarte algo antes. No se ha conectado nada.',
      next: 'Vuelve a intentarlo y sigue los pasos que se te indiquen.',
    },
    provider_trouble: {
      title: '{provider} ha tenido un problema',
      happened: '{provider} no ha podido responder a la solicitud. No se ha conectado nada.',
      next: 'Espera un minuto y vuelve a intentarlo.',
    },
    app_misconfigured: {
      title: 'La aplicación no está bien configurada',
      happened: '{provider} no acepta la forma en que esta aplicación solicita acceso. No se ha conectado nada.',
      next: `${DEVELOPER} corregir su configuración en {provider}. Dile qué ha respondido {provider}.`,
    },
    app_disabled: {
      title: '{provider} ha desactivado la aplicación',
      happened: '{provider} ha desactivado el inicio de sesión de esta aplicación. No se ha conectado nada.',
      next: `${DEVELOPER} revisarlo en {provider}. Dile qué ha respondido {provider}.`,
    },
    provider_refused: {
      title: '{provider} no ha concedido el acceso',
      happened: '{provider} ha terminado el inicio de sesión sin conceder acceso. No se ha conectado nada.',
      next: 'Vuelve a intentarlo. Si vuelve a ocurrir, dile al desarrollador de la aplicación qué ha respondido {provider}.',
    },
    integration_gone: {
      title: 'Esta conexión ya no se ofrece',
      happened: 'La aplicación ha quitado esta integración mientras la conectabas. No se ha conectado nada.',
      next: 'Vuelve a la aplicación; su desarrollador puede decirte qué la sustituye.',
    },
    integration_changed: {
      title: 'La aplicación ha cambiado mientras conectabas',
      happened:
        'El desarrollador ha cambiado lo que solicita esta aplicación, y tu respuesta ya no encaja. No se ha conectado nada.',
      next: 'Vuelve a intentarlo para ver qué solicita ahora.',
    },
    credentials_missing: {
      title: 'La aplicación no está completamente configurada',
      happened: 'La aplicación no tiene un cliente de OAuth que pueda usarse para esto. No se ha conectado nada.',
      next: `${DEVELOPER} añadir su propio cliente de OAuth a la integración.`,
    },
    client_rejected: {
      title: '{provider} no acepta la aplicación',
      happened: '{provider} rechaza el cliente de OAuth de esta aplicación. No se ha conectado nada.',
      next: `${DEVELOPER} corregir su ID de cliente, su secreto de cliente o su URI de redirección. Dile qué ha respondido {provider}.`,
    },
    code_rejected: {
      title: '{provider} no ha aceptado la respuesta',
      happened: 'El código de un solo uso de este inicio de sesión no se ha aceptado. No se ha conectado nada.',
      next: AGAIN,
    },
    provider_unreachable: {
      title: 'No se ha podido contactar con {provider}',
      happened: 'El último paso, con {provider}, acaba de fallar. No se ha conectado nada.',
      next: 'Espera un minuto y vuelve a intentarlo.',
    },
    no_refresh_token: {
      title: '{provider} ha dado acceso solo por poco tiempo',
      happened:
        '{provider} no ha enviado un permiso duradero, así que la conexión habría terminado pronto. No se ha guardado.',
      next: 'Vuelve a intentarlo. Si vuelve a ocurrir, elimina antes la aplicación en tu cuenta de {provider}.',
    },
    only_sign_in: {
      title: 'No se ha marcado ningún permiso',
      happened:
        'Has iniciado sesión, pero no has concedido nada con lo que la aplicación pueda trabajar. No se ha conectado nada.',
      next: 'Vuelve a intentarlo y marca al menos un permiso.',
    },
    account_unproven: {
      title: 'No se ha podido confirmar la cuenta',
      happened: '{provider} no ha demostrado qué cuenta es esta, así que no se ha usado. No ha cambiado nada.',
      next: AGAIN,
    },
    wrong_account: {
      title: 'Es otra cuenta de {provider}',
      happened: 'Esta conexión pertenece a {expected}, pero has elegido {chosen}. No ha cambiado nada.',
      next: 'Vuelve a intentarlo con {expected}. Para conectar la otra cuenta, vuelve a la aplicación.',
    },
    wrong_domain: {
      title: 'Esa cuenta no es de la organización correcta',
      happened:
        'La aplicación solo acepta cuentas de Google de {domain}, pero has elegido {chosen}. No se ha conectado nada.',
      next: 'Vuelve a intentarlo con tu cuenta de {domain}.',
    },
    no_organization: {
      title: 'Esa cuenta no es de la organización correcta',
      happened:
        'La aplicación solo acepta cuentas de Google de una organización (Google Workspace), pero has elegido {chosen}. No se ha conectado nada.',
      next: 'Vuelve a intentarlo con tu cuenta del trabajo o del centro educativo.',
    },
    connection_deleted: {
      title: 'La conexión ya no existe',
      happened: 'La conexión se ha eliminado mientras iniciabas sesión. No se ha conectado nada.',
      next: 'Vuelve a la aplicación y conecta la cuenta de nuevo.',
    },
    connection_ended: {
      title: 'La conexión ha terminado',
      happened: '{provider} ya no acepta la conexión para la que eran los archivos. No ha cambiado nada.',
      next: 'Vuelve a la aplicación, conecta la cuenta de nuevo y después selecciona los archivos.',
    },
    changed_meanwhile: {
      title: 'La conexión ha cambiado entretanto',
      happened: 'La conexión se ha modificado varias veces al mismo tiempo. No se ha guardado nada.',
      next: AGAIN,
    },
    internal: {
      title: 'Algo ha fallado por nuestra parte',
      happened: 'No se ha podido establecer la conexión. No se ha guardado nada.',
      next: 'Vuelve a intentarlo. Si vuelve a ocurrir, dile al desarrollador de la aplicación el número de solicitud de abajo.',
    },
  },
  failuresAt: {
    google: {
      admin_blocked: {
        title: 'Tu organización no permite esta aplicación',
        happened:
          'El administrador de tu Google Workspace ha bloqueado esta aplicación o el acceso que solicita. No se ha conectado nada.',
        next: 'Pide a tu administrador que permita la aplicación en la consola de administración de Google y vuelve a intentarlo.',
      },
      account_restricted: {
        title: 'Google restringe esta cuenta',
        happened:
          'Google no deja que las aplicaciones usen esta cuenta en este momento: la ha restringido el propio Google o tu administrador. No se ha conectado nada.',
        next: 'Consulta en myaccount.google.com qué necesita Google de ti, o pregunta a tu administrador; después, vuelve a intentarlo.',
      },
      account_protected: {
        title: 'Tu cuenta tiene Protección Avanzada',
        happened:
          'Tu cuenta de Google está en el Programa de Protección Avanzada, que rechaza las aplicaciones que Google no ha aprobado para él. No se ha conectado nada.',
        next: 'Conecta otra cuenta de Google. Con esta solo servirá volver a intentarlo después de salir del programa.',
      },
      organization_only: {
        title: 'La aplicación es solo para cuentas de su propia organización',
        happened:
          'En Google, esta aplicación solo admite cuentas de la organización que la creó, y la cuenta que has elegido no es una de ellas. No se ha conectado nada.',
        next: 'Inténtalo con una cuenta de esa organización. Si la van a usar otras personas, su desarrollador debe elegir el público «Externo» en la consola de Google Cloud.',
      },
      sign_in_needed: {
        title: 'Google necesita que elijas una cuenta',
        happened: 'Google no podía continuar sin preguntarte algo antes. No se ha conectado nada.',
        next: 'Vuelve a intentarlo y sigue los pasos en las páginas de Google.',
      },
      app_misconfigured: {
        title: 'La aplicación no está bien configurada',
        happened: 'Google no acepta la forma en que esta aplicación solicita acceso. No se ha conectado nada.',
        next: `${DEVELOPER} corregir su configuración en la consola de Google Cloud. Dile qué ha respondido Google.`,
      },
      app_disabled: {
        title: 'Google ha desactivado la aplicación',
        happened:
          'Google ha desactivado el inicio de sesión de esta aplicación o ya no admite usuarios nuevos hasta que se verifique. No se ha conectado nada.',
        next: `${DEVELOPER} revisarlo en la consola de Google Cloud. Dile qué ha respondido Google.`,
      },
      no_refresh_token: {
        title: 'Google ha dado acceso solo por una hora',
        happened:
          'Google no ha enviado un permiso duradero, así que la conexión habría terminado en una hora. No se ha guardado.',
        next: 'Vuelve a intentarlo. Si vuelve a ocurrir, quita antes la aplicación en myaccount.google.com/connections.',
      },
    },
  },
  unknownAccounts: { expected: 'otra cuenta de {provider}', chosen: 'una cuenta distinta' },
  services: { 'google-drive': 'Google Drive', 'google-calendar': 'Google Calendar' },
  scopes: {
    'drive.file': 'Ver, editar, crear y eliminar solo los archivos de Drive que se usan con esta aplicación.',
    'drive.appdata': 'Ver, crear y eliminar sus propios datos de configuración en Drive.',
    'drive.install': 'Aparecer en Drive como aplicación que abre archivos.',
    'drive.apps.readonly': 'Ver qué aplicaciones de Drive están instaladas.',
    drive: 'Ver, editar, crear y eliminar todos los archivos de Drive.',
    'drive.readonly': 'Ver y descargar todos los archivos de Drive.',
    'drive.metadata': 'Ver y gestionar los metadatos de los archivos de Drive.',
    'drive.metadata.readonly': 'Ver información sobre los archivos de Drive, sin su contenido.',
    'drive.meet.readonly': 'Ver y descargar los archivos de Drive creados o editados por Google Meet.',
    'drive.scripts': 'Cambiar el comportamiento de los scripts de Apps Script de la cuenta.',
    'drive.activity': 'Ver el registro de actividad de los archivos de Drive y añadir entradas.',
    'drive.activity.readonly': 'Ver el registro de actividad de los archivos de Drive.',
    'calendar.app.created': 'Crear calendarios secundarios y gestionar solo esos.',
    'calendar.calendarlist.readonly': 'Ver a qué calendarios está suscrita la cuenta.',
    'calendar.events.freebusy': 'Ver la disponibilidad en los calendarios que la cuenta puede ver.',
    'calendar.events.public.readonly': 'Ver eventos de calendarios públicos.',
    'calendar.freebusy': 'Ver cuándo la cuenta está libre u ocupada.',
    'calendar.settings.readonly': 'Ver la configuración de Google Calendar.',
    calendar: 'Ver, editar, compartir y eliminar todos los calendarios.',
    'calendar.readonly': 'Ver todos los calendarios y sus eventos.',
    'calendar.events': 'Ver y editar eventos en todos los calendarios.',
    'calendar.events.readonly': 'Ver eventos en todos los calendarios.',
    'calendar.events.owned': 'Ver, crear, cambiar y eliminar eventos en los calendarios propios de la cuenta.',
    'calendar.events.owned.readonly': 'Ver eventos en los calendarios propios de la cuenta.',
    'calendar.calendarlist': 'Ver, añadir y quitar suscripciones a calendarios.',
    'calendar.calendars': 'Ver y cambiar las propiedades de los calendarios y crear calendarios secundarios.',
    'calendar.calendars.readonly': 'Ver el título, la descripción y la zona horaria de los calendarios.',
    'calendar.acls': 'Ver y cambiar con quién se comparten los calendarios.',
    'calendar.acls.readonly': 'Ver con quién se comparten los calendarios.',
  },
};
