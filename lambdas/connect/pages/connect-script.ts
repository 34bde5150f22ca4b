import { SafeHtml } from '../../shared/http/html-page.ts';

/**
 * The connect page's script. Everything from outside is set as text, never as markup. The token stays in memory and is
 * taken out of the address bar at once.
 */
export const CONNECT_SCRIPT = new SafeHtml(String.raw`
(() => {
  const token = new URLSearchParams(location.hash.slice(1)).get('session_token');
  const status = document.getElementById('status');
  const title = document.getElementById('title');
  const list = document.getElementById('integrations');
  const say = (text, tone) => { status.textContent = text; status.className = tone || 'soft'; };
  const element = (name, text) => { const e = document.createElement(name); if (text !== undefined) e.textContent = text; return e; };
  if (!token) { say('This link is incomplete. Ask the app that sent you here for a new one.', 'bad'); return; }
  history.replaceState(null, '', location.pathname);

  const call = async (method, path, body) => {
    const response = await fetch(BASE_URL + path, {
      method,
      headers: { authorization: 'Bearer ' + token, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
    });
    const json = await response.json();
    if (!response.ok) throw new Error(json.error ? json.error.message : 'The gateway answered ' + response.status + '.');
    return json.data;
  };

  const connect = async (integration, button) => {
    button.disabled = true;
    say('Sending you to Google…');
    try {
      const data = await call('POST', '/connect/authorizations', { provider_config_key: integration.provider_config_key });
      location.assign(data.authorization_url);
    } catch (error) {
      button.disabled = false;
      say(error.message, 'bad');
    }
  };

  const show = (session) => {
    const who = session.endUser && (session.endUser.display_name || session.endUser.email);
    if (session.status === 'expired') { say('This link has expired. Ask the app that sent you here for a new one.', 'bad'); return; }
    if (session.status === 'connected') { title.textContent = 'Connected'; say('This account is connected. You can close this page.', 'good'); return; }
    title.textContent = session.isReconnecting ? 'Connect your account again' : 'Connect your account';
    if (session.error) say(session.error.message, 'bad');
    else say(who ? 'For ' + who + '. You decide on the next page what to share.' : 'You decide on the next page what to share.');
    for (const integration of session.integrations) {
      const section = element('section');
      section.append(element('h2', integration.display_name));
      section.append(Object.assign(element('p', 'With ' + integration.provider_name + ', the app asks to:'), { className: 'soft' }));
      const scopes = element('ul');
      for (const scope of integration.scopes) scopes.append(element('li', scope.meaning));
      section.append(scopes);
      const button = element('button', 'Connect ' + integration.provider_name);
      button.type = 'button';
      button.addEventListener('click', () => connect(integration, button));
      section.append(button);
      list.append(section);
    }
    if (session.integrations.length === 0) say('There is nothing to connect yet: the app has no integration set up.', 'bad');
  };

  call('GET', '/connect/session').then(show, (error) => say(error.message, 'bad'));
})();
`);
