/** Opens the dashboard's port before any function runs, because the functions need its address. */

import { type BuildState, buildInBackground, DASHBOARD_FILES, isStale } from '../../tools/dashboard-build.ts';
import type { DataDirectory } from '../data-directory.ts';
import { type Admission, openAdmission } from '../issuer/admission.ts';
import { ISSUER_PATH, type LocalIssuer, localIssuer } from '../issuer/issuer.ts';
import { closeServer, LOOPBACK, listen } from '../network.ts';
import type { Cleanup } from '../shutdown.ts';
import type { LocalIdentityProvider } from '../template/identity-provider.ts';
import { dashboardServer } from './server.ts';

export interface DashboardOptions {
  /** 0: a free one. */
  port: number;
  gatewayUrl: string;
  proxyUrl: string;
  /** Features that the stack leaves out. */
  without: readonly string[];
  directory: DataDirectory;
  cleanup: Cleanup;
  warn: (message: string) => void;
  /** Time of sign-ins and their tokens. */
  nowMs: () => number;
  /** Only browsers in which the printed address was opened may sign in. */
  guarded: boolean;
  /** A company's sign-in, with the secret of its client. */
  company: { provider: LocalIdentityProvider; clientSecret: string } | undefined;
  /** Receives the next address when one was opened. */
  print: (message: string) => void;
}

export interface Dashboard {
  url: string;
  /** The address that opens it now; the same as `url` where every browser may sign in. */
  address(): string;
  issuer: string;
  /** Builds missing or outdated parts in the background. */
  build(): void;
  /** Builds again, after a running build. @returns whether it succeeded; if not, the reason was printed */
  rebuild(): Promise<boolean>;
}

const CHANGE_PORT = 'choose another with --port P (P+1 and P+2 must be free too; --port 0 takes free ones)';

/** Binds the port. @throws Error when it is taken. */
export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { cleanup, warn } = options;
  let building: BuildState | undefined;
  let issuer: LocalIssuer | undefined;
  let admission: Admission | undefined;
  const server = dashboardServer({
    issuer: () => {
      if (issuer === undefined) throw new Error('The dashboard is still starting.');
      return issuer;
    },
    gatewayUrl: options.gatewayUrl,
    proxyUrl: options.proxyUrl,
    without: options.without,
    files: DASHBOARD_FILES,
    buildProblem: () => building?.problem,
    admission: () => admission,
    warn,
  });
  const port = await listen(server, options.port, 'the dashboard', CHANGE_PORT);
  cleanup.add(() => closeServer(server));
  const url = `http://${LOOPBACK}:${port}`;
  let isEnding = false;
  cleanup.add(() => {
    isEnding = true;
    return building?.stop();
  });
  if (options.guarded) {
    admission = openAdmission(url, ISSUER_PATH, (next) =>
      options.print(`The dashboard was opened. For another browser: ${next}`),
    );
  }
  const guard = admission === undefined ? {} : { admission };
  issuer = localIssuer({
    ...guard,
    origin: url,
    keyPath: options.directory.file('issuer-key.json'),
    nowMs: options.nowMs,
    company: options.company,
  });
  return {
    url,
    address: () => admission?.address() ?? url,
    issuer: issuer.issuer,
    build() {
      if (isStale()) building = buildInBackground(warn);
    },
    async rebuild() {
      await building?.ended;
      if (isEnding) return false;
      const started = buildInBackground(warn);
      building = started;
      await started.ended;
      return started.problem === undefined;
    },
  };
}
