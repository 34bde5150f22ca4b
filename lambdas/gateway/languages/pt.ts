import type { Translation } from './language.rules.ts';

const DEVELOPER = 'O desenvolvedor do app de onde você veio precisa';
const AGAIN = 'Tente de novo.';

/** Portuguese, as it is written in Brazil. */
export const pt: Translation = {
  common: {
    backToApp: 'Voltar ao app',
    leaveItSo: 'Deixar assim',
    tryAgain: 'Tentar de novo',
    askAgain: 'Escolher de novo',
    selectFiles: 'Selecionar arquivos',
    canClose: 'Você já pode fechar esta página.',
    requestNumber: 'Solicitação {id}',
    continueWithGoogle: 'Continuar com o Google',
    continueWith: 'Continuar com {provider}',
    connectService: 'Conectar {service}',
    asksFor: 'O app quer:',
    asksForAccess: '{app} pede acesso à sua conta {provider}.',
    asksForAccessUnnamed: 'O app de onde você veio pede acesso à sua conta {provider}.',
    asksForAccessAny: '{app} pede acesso a uma das suas contas.',
    asksForAccessAnyUnnamed: 'O app de onde você veio pede acesso a uma das suas contas.',
    usedFor: 'O que você permitir será usado em {app} para {who}.',
    usedForUnnamed: 'O que você permitir será usado no app de onde você veio para {who}.',
    whoOfOrganization: '{who}, {organization}',
    userWithId: 'o usuário {id}',
    notYou:
      'Se não é você, ou se você não pediu isto, feche esta página: caso contrário, outra pessoa teria acesso à sua conta.',
    notAsked: 'Se você não pediu isto, feche esta página: caso contrário, outra pessoa teria acesso à sua conta.',
    connected: 'Conectado',
    connectedPartly: 'Conectado, com menos acesso',
    oneStepLeft: 'Falta uma etapa no app',
    fileSelected: { one: 'Arquivo selecionado', other: 'Arquivos selecionados' },
    nothingConnected: 'Nada foi conectado',
    cannot: 'Você não permitiu tudo. Por isso, o app não pode:',
  },
  session: {
    title: 'Conecte sua conta',
    loading: 'Carregando…',
    needsScript: 'Esta página precisa de JavaScript para ler seu link de conexão. Ative-o e abra o link de novo.',
    cookiesBlocked:
      'Seu navegador não guarda cookies desta página, então não seria possível voltar de {provider}. Permita cookies aqui ou abra o link em outro navegador.',
    unreachable: 'Não foi possível acessar o gateway. Verifique sua conexão com a internet e tente de novo.',
    answered: 'O gateway respondeu {status}. Tente de novo em instantes.',
    incomplete: 'Este link está incompleto',
    incompleteAdvice: 'Volte ao app e abra o link de novo, ou peça um novo.',
    over: 'Este link não funciona',
    expired: 'Este link expirou',
    expiredAdvice: 'Volte ao app e peça um novo.',
    notLoaded: 'Não foi possível carregar esta página',
    sending: 'Redirecionando para {provider}…',
    choose: 'Escolha o que conectar',
    chooseAgain: 'Escolha o que reconectar',
    connectServiceAgain: 'Reconectar {service}',
    selectFilesIn: 'Selecionar arquivos: {service}',
    asksForFiles:
      '{app} pede que você selecione arquivos. Depois, o app poderá trabalhar com esses arquivos e com nenhum outro.',
    asksForFilesUnnamed:
      'O app de onde você veio pede que você selecione arquivos. Depois, o app poderá trabalhar com esses arquivos e com nenhum outro.',
    notYouFiles:
      'Se não é você, ou se você não pediu isto, feche esta página: caso contrário, outra pessoa teria acesso aos seus arquivos.',
    notAskedFiles:
      'Se você não pediu isto, feche esta página: caso contrário, outra pessoa teria acesso aos seus arquivos.',
    useAccount: 'Use a conta {account}.',
    alsoAsksFor: 'Agora o app também quer:',
    mayAlready: 'O app já pode:',
    alreadyStarted: 'Você já começou, aqui ou em outra guia. Termine lá ou comece de novo aqui.',
    noFileSelected: 'Nenhum arquivo foi selecionado e nada mudou.',
    nothingSetUp: 'O app ainda não preparou nada para conectar. O desenvolvedor precisa adicionar uma integração.',
    notOffered:
      '{provider} não aceita este app no momento, então não é possível conectar nada. O desenvolvedor do app precisa corrigir as configurações em {provider}; até lá, tentar de novo não adianta.',
    googleAsksForFiles: 'O Google pergunta se você permite isso e depois mostra seus arquivos.',
    googleAsks: 'O Google mostra essas permissões de novo, e você pode desmarcar algumas.',
    providerAsks: '{provider} pede sua permissão antes de o app ter acesso.',
    backWithoutFiles: 'Voltar sem selecionar arquivos',
    backWithoutConnecting: 'Voltar sem conectar',
    filesReady: {
      one: 'O app pode trabalhar com o arquivo que você selecionou.',
      other: 'O app pode trabalhar com os {count} arquivos que você selecionou.',
    },
    filesLost: {
      one: 'Você selecionou um arquivo. O app não conseguiu abri-lo.',
      other: 'Você selecionou {count} arquivos. O app não conseguiu abri-los.',
    },
    filesPartlyLost: {
      one: 'Você selecionou {count} arquivo. O app não conseguiu abrir {lost}.',
      other: 'Você selecionou {count} arquivos. O app não conseguiu abrir {lost} deles.',
    },
    accountConnected: 'Sua conta está conectada.',
    accountReady: 'Sua conta está pronta. O app a conectará quando você voltar a ele.',
    timedOut:
      'O Google não trouxe você de volta em dez minutos. Se ele mostrou um erro, veja abaixo; senão, tente de novo.',
    timedOutElsewhere: 'Você não voltou em dez minutos. Tente de novo.',
    notConfirmed:
      'O app não terminou de conectar sua conta a tempo e, por isso, não recebeu acesso. Peça um novo link.',
  },
  admin: {
    title: 'Autorizar {app} para a sua organização',
    titleUnnamed: 'Autorizar um app para a sua organização',
    forOrganization: 'Este link é para {organization}.',
    who: 'Só um superadministrador do Google Workspace pode fazer isso. Se você não é um, encaminhe este link a ele. Ele vale até {until}.',
    means:
      'O que você adicionar permite que o app faça o seguinte por todos os usuários do seu domínio, sem perguntar a eles:',
    notAsked: 'Se você não esperava isso, feche esta página e não adicione nada.',
    list: '1. Adicionar o app no Google',
    listAdvice:
      'O formulário do Google abre com os dois campos preenchidos. Compare com estes e autorize. Deixe como está o que já estiver na lista. Se vários administradores precisam concordar, outro confirma.',
    openForm: 'Abrir o formulário do Google',
    clientId: 'ID do cliente',
    scopes: 'Escopos do OAuth',
    copyClientId: 'Copiar o ID do cliente',
    copyScopes: 'Copiar os escopos',
    copied: 'Copiado',
    check: '2. Verificar',
    address: 'Endereço de e-mail de qualquer usuário do seu domínio',
    checkNow: 'Verificar',
    checking: 'Perguntando ao Google…',
    works: 'Funciona',
    worksFor: 'O app pode agir pelos usuários de {domain}.',
    listed: 'adicionado',
    notListed: 'não adicionado',
    notKnown: 'desconhecido',
    causes: {
      delegation_pending:
        'Ainda não: o Google não sabe disso. Se você acabou de adicionar o app, espere: leva alguns minutos e até 24 horas. Depois, verifique de novo.',
      delegation_incomplete: 'Falta algo. Abra o formulário de novo e adicione os escopos que não estão na lista.',
      account_restricted:
        'O Google ou as suas configurações restringem este usuário. Tente outro endereço ou remova a restrição.',
      admin_restricted:
        'Os controles de API do seu domínio bloqueiam o app. Marque o ID do cliente dele como confiável (Segurança, Controles de API, Controle de acesso de apps).',
      account_unavailable: 'Este usuário foi suspenso ou excluído. Tente outro endereço.',
      subject_unknown:
        'O Google não conhece nenhum usuário com este endereço. Digite um endereço principal, não um alias nem um grupo.',
      subject_not_allowed:
        'O app não espera usuários com este endereço. Confira a grafia ou informe o seu domínio ao desenvolvedor do app.',
      taken: 'Este domínio não pode ser verificado com este link. Fale com o app que enviou você para cá.',
      app_fault:
        'O app não está configurado corretamente no Google. O desenvolvedor precisa corrigir isso; adicionar de novo não ajuda.',
      too_many: 'Você verificou vezes demais. Espere um minuto.',
      not_asked: 'Não foi possível perguntar ao Google. Tente de novo em um minuto.',
    },
  },
  frame: {
    openInTab: 'Abrir em uma nova guia',
    blocked: 'Seu navegador bloqueou a janela',
    blockedAdvice: 'Abra a página de conexão diretamente:',
    cancel: 'Cancelar',
    close: 'Fechar',
    done: 'Concluído',
    showWindow: 'Mostrar a janela',
    otherWindow: 'Continue na outra janela',
    otherWindowAdvice: 'Esta página continua quando você terminar lá.',
    ownWindow: 'O consentimento é dado em uma janela separada.',
    oneStepLeft: 'Falta uma etapa',
    accountReady: 'Sua conta está pronta. O app a está conectando.',
    accountConnected: 'Sua conta está conectada.',
    sessionExpired: 'O link de conexão expirou.',
    startAgain: 'Feche isto e comece de novo.',
    windowClosed: 'A janela foi fechada antes de você terminar.',
  },
  googleErrors: {
    question: 'O Google mostrou um erro?',
    answer: 'Então o Google não trouxe você de volta. O que o erro significa:',
    notVerified: {
      name: 'access_denied, “não concluiu o processo de verificação do Google”',
      meaning:
        'O app ainda está em teste. O desenvolvedor precisa adicionar sua conta como usuário de teste ou publicar o app.',
    },
    adminPolicy: {
      name: 'admin_policy_enforced',
      meaning: 'Sua organização bloqueia o app. Peça ao administrador do Google Workspace que o permita.',
    },
    orgInternal: {
      name: 'org_internal',
      meaning: 'O app é só para membros da própria organização. Escolha uma conta dessa organização.',
    },
    blocked: {
      name: '“Este app está bloqueado”',
      meaning:
        'O Google não deixa este app acessar os dados que ele pede porque não o verificou ou porque sua conta está na Proteção Avançada. O desenvolvedor precisa pedir a verificação do app; uma conta com Proteção Avançada não pode ser conectada a ele.',
    },
    disabled: {
      name: 'disabled_client',
      meaning:
        'O Google desativou o app ou não aceita novos usuários até verificá-lo. O desenvolvedor precisa resolver isso com o Google; tentar de novo não adianta.',
    },
    misconfigured: {
      name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
      meaning:
        'O app não está configurado corretamente no Google. O desenvolvedor precisa corrigir isso; tentar de novo não adianta.',
    },
    userAgent: {
      name: 'disallowed_useragent',
      meaning:
        'O Google não permite fazer login dentro deste app. Abra o link em um navegador como Chrome, Safari ou Firefox.',
    },
    rateLimit: {
      name: 'rate_limit_exceeded',
      meaning: 'Há pessoas demais se conectando ao mesmo tempo. Espere alguns minutos e tente de novo.',
    },
  },
  result: {
    goOnInApp: 'Continuar no app',
    serviceConnected: 'Conexão concluída: {service}.',
    accountConnected: 'Conexão concluída: {service} de {account}.',
    serviceReady: 'Tudo pronto: {service}. O app fará a conexão quando você voltar a ele.',
    accountReady: 'Tudo pronto: {service} de {account}. O app fará a conexão quando você voltar a ele.',
    willNotBeAble: 'Você não permitiu tudo. Por isso, o app não poderá:',
    filesUsable: {
      one: 'Agora o app pode trabalhar com o arquivo que você selecionou.',
      other: 'Agora o app pode trabalhar com os {count} arquivos que você selecionou.',
    },
    filesUsableOf: {
      one: 'Agora o app pode trabalhar com o arquivo que você selecionou no Drive de {account}.',
      other: 'Agora o app pode trabalhar com os {count} arquivos que você selecionou no Drive de {account}.',
    },
    filesChosen: { one: 'Você selecionou um arquivo.', other: 'Você selecionou {count} arquivos.' },
    filesChosenOf: {
      one: 'Você selecionou um arquivo no Drive de {account}.',
      other: 'Você selecionou {count} arquivos no Drive de {account}.',
    },
    noneOpened: {
      one: 'O app não conseguiu abri-lo. O app já sabe qual é.',
      other: 'O app não conseguiu abri-los. O app já sabe quais são.',
    },
    someNotOpened: 'O app não conseguiu abrir {lost} deles. O app já sabe quais são.',
    stranded: 'Nada está conectado',
    strandedHappened:
      'Esta página não consegue se comunicar com o app. Por isso, o que você permitiu não será usado e expira em até 15 minutos.',
    strandedNext: 'Volte ao app e comece de novo por lá. Se acontecer outra vez, avise o desenvolvedor.',
    providerSaid: 'Resposta de {provider}: {words}',
    detail: 'Detalhe: {words}',
    openLinkAgain: 'Para tentar de novo, abra outra vez o link do app.',
  },
  problems: {
    title: 'Não funcionou',
    advice: 'Nada foi conectado. Volte ao app de onde você veio; se acontecer outra vez, avise o desenvolvedor.',
    link_not_valid: 'Este link de conexão não é válido ou foi retirado. Peça um novo ao app de onde você veio.',
    link_expired: 'Este link de conexão expirou. Peça um novo ao app de onde você veio.',
    link_not_confirmed: 'O app não confirmou o resultado deste link de conexão. Peça um novo a ele.',
    link_used: 'Este link de conexão já foi usado. Peça um novo ao app de onde você veio.',
    link_started_elsewhere:
      'Este link de conexão foi aberto antes em outro navegador, e só ele pode concluir. Continue nele ou peça um novo link ao app.',
    link_started_too_often: 'Este link de conexão foi iniciado vezes demais. Peça um novo ao app de onde você veio.',
    link_outdated: 'O app não pede mais o acesso para o qual este link de conexão foi criado. Peça um novo a ele.',
    connection_deleted: 'A conexão foi excluída. Conecte a conta de novo pelo app.',
    too_many: 'Há pessoas demais se conectando ao mesmo tempo. Espere um minuto e tente de novo.',
    app_not_ready:
      'O app não está totalmente configurado. O desenvolvedor precisa corrigir isso; tentar de novo não adianta.',
    foreign_page: 'Só a própria página do link de conexão pode iniciar isto. Abra outra vez o link do app.',
    bad_address: 'O endereço que você abriu não está certo. O desenvolvedor do app precisa corrigi-lo:',
    gateway_failed: 'O gateway falhou. Volte ao app e tente de novo.',
  },
  failures: {
    malformed_answer: {
      title: 'Não foi possível ler a resposta',
      happened: 'O endereço com que você voltou está incompleto ou foi alterado no caminho. Nada foi conectado.',
      next: AGAIN,
    },
    unknown_state: {
      title: 'Esta etapa já terminou',
      happened: 'Este login já foi concluído ou nunca foi iniciado aqui. Abri-lo de novo não mudou nada.',
      next: 'Se sua conta ainda não está conectada, tente de novo.',
    },
    other_browser: {
      title: 'Iniciado em outro navegador',
      happened: 'Este login foi iniciado em outro navegador, ou este navegador apagou os cookies. Nada foi conectado.',
      next: 'Se foi você que o iniciou, abra outra vez o link do app no navegador que quiser usar. Se não foi, feche esta página.',
    },
    timed_out: {
      title: 'Demorou demais',
      happened: 'Um login precisa ser concluído em dez minutos. Nada foi conectado.',
      next: AGAIN,
    },
    session_ended: {
      title: 'Este link não vale mais',
      happened: 'O app retirou o link a que este login pertence. Nada foi conectado.',
      next: 'Volte ao app e peça um novo.',
    },
    session_used: {
      title: 'Este link já foi usado',
      happened: 'Uma conta já foi conectada com este link. Este login não mudou nada.',
      next: 'Para conectar outra conta, volte ao app e peça um novo link.',
    },
    other_issuer: {
      title: 'A resposta veio de outro lugar',
      happened:
        'A resposta indica um provedor diferente daquele para o qual você foi enviado e, por isso, não foi usada. Nada foi conectado.',
      next: AGAIN,
    },
    refused: {
      title: 'Você não concedeu acesso',
      happened: '{provider} informa que o acesso não foi concedido, então nada foi conectado.',
      next: 'Se não era sua intenção, tente de novo e escolha “Permitir”.',
    },
    pick_cancelled: {
      title: 'Nenhum arquivo foi selecionado',
      happened: 'Você voltou sem selecionar um arquivo. Nada mudou.',
      next: 'Se não era sua intenção, tente de novo e selecione pelo menos um.',
    },
    admin_blocked: {
      title: 'Sua organização não permite este app',
      happened: 'O administrador da sua organização bloqueou este app ou o acesso que ele pede. Nada foi conectado.',
      next: 'Peça ao administrador que permita o app e tente de novo.',
    },
    account_restricted: {
      title: '{provider} restringe esta conta',
      happened:
        '{provider} não deixa apps usarem esta conta no momento: {provider} ou seu administrador a restringiu. Nada foi conectado.',
      next: 'Veja na sua conta o que é necessário, ou fale com seu administrador; depois tente de novo.',
    },
    account_protected: {
      title: 'Esta conta tem uma proteção especial',
      happened: '{provider} protege esta conta de um modo que impede o acesso do app. Nada foi conectado.',
      next: 'Conecte outra conta. Com esta, só adianta tentar de novo depois que essa proteção for retirada.',
    },
    organization_only: {
      title: 'O app é só para contas da própria organização',
      happened:
        'Em {provider}, este app só admite contas da organização que o criou, e a conta que você escolheu não é uma delas. Nada foi conectado.',
      next: `Tente de novo com uma conta dessa organização. ${DEVELOPER} abrir o app em {provider} se outras pessoas forem usá-lo.`,
    },
    sign_in_needed: {
      title: '{provider} precisa que você escolha uma conta',
      happened: '{provider} não pôde continuar sem perguntar algo a você antes. Nada foi conectado.',
      next: 'Tente de novo e siga as etapas indicadas.',
    },
    provider_trouble: {
      title: '{provider} teve um problema',
      happened: '{provider} não conseguiu responder à solicitação. Nada foi conectado.',
      next: 'Espere um minuto e tente de novo.',
    },
    app_misconfigured: {
      title: 'O app não está configurado corretamente',
      happened: '{provider} não aceita a forma como este app pede acesso. Nada foi conectado.',
      next: `${DEVELOPER} corrigir as configurações em {provider}. Diga a ele o que {provider} respondeu.`,
    },
    app_disabled: {
      title: '{provider} desativou o app',
      happened: '{provider} desativou o login deste app. Nada foi conectado.',
      next: `${DEVELOPER} verificar isso em {provider}. Diga a ele o que {provider} respondeu.`,
    },
    provider_refused: {
      title: '{provider} não concedeu acesso',
      happened: '{provider} encerrou o login sem conceder acesso. Nada foi conectado.',
      next: 'Tente de novo. Se acontecer outra vez, diga ao desenvolvedor do app o que {provider} respondeu.',
    },
    integration_gone: {
      title: 'Esta conexão não é mais oferecida',
      happened: 'O app removeu esta integração enquanto você a conectava. Nada foi conectado.',
      next: 'Volte ao app; o desenvolvedor pode dizer o que a substitui.',
    },
    integration_changed: {
      title: 'O app mudou enquanto você conectava',
      happened: 'O desenvolvedor mudou o que este app pede, e sua resposta não serve mais. Nada foi conectado.',
      next: 'Tente de novo para ver o que ele pede agora.',
    },
    credentials_missing: {
      title: 'O app não está totalmente configurado',
      happened: 'O app não tem um cliente OAuth que possa ser usado para isto. Nada foi conectado.',
      next: `${DEVELOPER} adicionar o próprio cliente OAuth à integração.`,
    },
    client_rejected: {
      title: '{provider} não aceita o app',
      happened: '{provider} recusa o cliente OAuth deste app. Nada foi conectado.',
      next: `${DEVELOPER} corrigir o ID do cliente, a chave secreta ou o URI de redirecionamento. Diga a ele o que {provider} respondeu.`,
    },
    code_rejected: {
      title: '{provider} não aceitou a resposta',
      happened: 'O código de uso único deste login não foi aceito. Nada foi conectado.',
      next: AGAIN,
    },
    provider_unreachable: {
      title: 'Não foi possível falar com {provider}',
      happened: 'A última etapa, com {provider}, não funcionou agora. Nada foi conectado.',
      next: 'Espere um minuto e tente de novo.',
    },
    no_refresh_token: {
      title: '{provider} deu acesso por pouco tempo',
      happened: '{provider} não enviou uma permissão duradoura, então a conexão terminaria logo. Ela não foi salva.',
      next: 'Tente de novo. Se acontecer outra vez, remova primeiro o app na sua conta {provider}.',
    },
    only_sign_in: {
      title: 'Nenhuma permissão foi marcada',
      happened: 'Você fez login, mas não concedeu nada com que o app possa trabalhar. Nada foi conectado.',
      next: 'Tente de novo e marque pelo menos uma permissão.',
    },
    account_unproven: {
      title: 'Não foi possível confirmar a conta',
      happened: '{provider} não comprovou qual é esta conta e, por isso, ela não foi usada. Nada mudou.',
      next: AGAIN,
    },
    wrong_account: {
      title: 'Essa é outra conta {provider}',
      happened: 'Esta conexão pertence a {expected}, mas você escolheu {chosen}. Nada mudou.',
      next: 'Tente de novo com {expected}. Para conectar a outra conta, volte ao app.',
    },
    wrong_domain: {
      title: 'Essa conta não é da organização certa',
      happened: 'O app só aceita Contas do Google de {domain}, mas você escolheu {chosen}. Nada foi conectado.',
      next: 'Tente de novo com sua conta de {domain}.',
    },
    no_organization: {
      title: 'Essa conta não é da organização certa',
      happened:
        'O app só aceita Contas do Google de uma organização (Google Workspace), mas você escolheu {chosen}. Nada foi conectado.',
      next: 'Tente de novo com sua conta do trabalho ou da escola.',
    },
    connection_deleted: {
      title: 'A conexão não existe mais',
      happened: 'A conexão foi excluída enquanto você fazia login. Nada foi conectado.',
      next: 'Volte ao app e conecte a conta de novo.',
    },
    connection_ended: {
      title: 'A conexão terminou',
      happened: '{provider} não aceita mais a conexão para a qual eram os arquivos. Nada mudou.',
      next: 'Volte ao app, conecte a conta de novo e depois selecione os arquivos.',
    },
    changed_meanwhile: {
      title: 'A conexão mudou nesse meio-tempo',
      happened: 'A conexão foi alterada várias vezes ao mesmo tempo. Nada foi salvo.',
      next: AGAIN,
    },
    internal: {
      title: 'Algo deu errado do nosso lado',
      happened: 'Não foi possível fazer a conexão. Nada foi salvo.',
      next: 'Tente de novo. Se acontecer outra vez, informe ao desenvolvedor do app o número da solicitação abaixo.',
    },
  },
  failuresAt: {
    google: {
      admin_blocked: {
        title: 'Sua organização não permite este app',
        happened:
          'O administrador do seu Google Workspace bloqueou este app ou o acesso que ele pede. Nada foi conectado.',
        next: 'Peça ao administrador que permita o app no Google Admin Console e tente de novo.',
      },
      account_restricted: {
        title: 'O Google restringe esta conta',
        happened:
          'O Google não deixa apps usarem esta conta no momento: o próprio Google ou seu administrador a restringiu. Nada foi conectado.',
        next: 'Veja em myaccount.google.com o que o Google pede a você, ou fale com seu administrador; depois tente de novo.',
      },
      account_protected: {
        title: 'Sua conta tem a Proteção Avançada',
        happened:
          'Sua Conta do Google está no Programa Proteção Avançada, que recusa apps que o Google não aprovou para ele. Nada foi conectado.',
        next: 'Conecte outra Conta do Google. Com esta, só adianta tentar de novo depois que você sair do programa.',
      },
      organization_only: {
        title: 'O app é só para contas da própria organização',
        happened:
          'No Google, este app só admite contas da organização que o criou, e a conta que você escolheu não é uma delas. Nada foi conectado.',
        next: 'Tente de novo com uma conta dessa organização. Se outras pessoas forem usá-lo, o desenvolvedor deve definir o público como “Externo” no console do Google Cloud.',
      },
      sign_in_needed: {
        title: 'O Google precisa que você escolha uma conta',
        happened: 'O Google não pôde continuar sem perguntar algo a você antes. Nada foi conectado.',
        next: 'Tente de novo e siga as etapas nas páginas do Google.',
      },
      app_misconfigured: {
        title: 'O app não está configurado corretamente',
        happened: 'O Google não aceita a forma como este app pede acesso. Nada foi conectado.',
        next: `${DEVELOPER} corrigir as configurações no console do Google Cloud. Diga a ele o que o Google respondeu.`,
      },
      app_disabled: {
        title: 'O Google desativou o app',
        happened:
          'O Google desativou o login deste app ou não aceita mais novos usuários antes da verificação. Nada foi conectado.',
        next: `${DEVELOPER} verificar isso no console do Google Cloud. Diga a ele o que o Google respondeu.`,
      },
      no_refresh_token: {
        title: 'O Google deu acesso por apenas uma hora',
        happened:
          'O Google não enviou uma permissão duradoura, então a conexão terminaria em até uma hora. Ela não foi salva.',
        next: 'Tente de novo. Se acontecer outra vez, remova antes o app em myaccount.google.com/connections.',
      },
    },
  },
  unknownAccounts: { expected: 'outra conta {provider}', chosen: 'uma conta diferente' },
  services: { 'google-drive': 'Google Drive', 'google-calendar': 'Google Agenda' },
  scopes: {
    'drive.file': 'Ver, editar, criar e excluir somente os arquivos do Drive usados com este app.',
    'drive.appdata': 'Ver, criar e excluir os próprios dados de configuração no Drive.',
    'drive.install': 'Aparecer no Drive como um app que abre arquivos.',
    'drive.apps.readonly': 'Ver quais apps do Drive estão instalados.',
    drive: 'Ver, editar, criar e excluir todos os arquivos do Drive.',
    'drive.readonly': 'Ver e baixar todos os arquivos do Drive.',
    'drive.metadata': 'Ver e gerenciar os metadados dos arquivos do Drive.',
    'drive.metadata.readonly': 'Ver informações sobre os arquivos do Drive, sem o conteúdo.',
    'drive.meet.readonly': 'Ver e baixar arquivos do Drive criados ou editados pelo Google Meet.',
    'drive.scripts': 'Alterar o comportamento dos scripts do Apps Script da conta.',
    'drive.activity': 'Ver o registro de atividades dos arquivos do Drive e acrescentar a ele.',
    'drive.activity.readonly': 'Ver o registro de atividades dos arquivos do Drive.',
    'calendar.app.created': 'Criar agendas secundárias e gerenciar somente essas.',
    'calendar.calendarlist.readonly': 'Ver em quais agendas a conta está inscrita.',
    'calendar.events.freebusy': 'Ver a disponibilidade nas agendas que a conta pode ver.',
    'calendar.events.public.readonly': 'Ver eventos de agendas públicas.',
    'calendar.freebusy': 'Ver quando a conta está livre ou ocupada.',
    'calendar.settings.readonly': 'Ver as configurações do Google Agenda.',
    calendar: 'Ver, editar, compartilhar e excluir todas as agendas.',
    'calendar.readonly': 'Ver todas as agendas e seus eventos.',
    'calendar.events': 'Ver e editar eventos em todas as agendas.',
    'calendar.events.readonly': 'Ver eventos em todas as agendas.',
    'calendar.events.owned': 'Ver, criar, alterar e excluir eventos nas agendas da própria conta.',
    'calendar.events.owned.readonly': 'Ver eventos nas agendas da própria conta.',
    'calendar.calendarlist': 'Ver, adicionar e remover inscrições em agendas.',
    'calendar.calendars': 'Ver e alterar propriedades de agendas e criar agendas secundárias.',
    'calendar.calendars.readonly': 'Ver o título, a descrição e o fuso horário das agendas.',
    'calendar.acls': 'Ver e alterar com quem as agendas são compartilhadas.',
    'calendar.acls.readonly': 'Ver com quem as agendas são compartilhadas.',
  },
};
