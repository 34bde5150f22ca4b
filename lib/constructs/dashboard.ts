import type { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { OperatorMfa } from '../../lambdas/gateway/core/contract.ts';
import type { OperatorIdentityProvider } from '../option-values.ts';
import { DashboardSite } from './dashboard-site.ts';
import type { GatewayFunction } from './function.ts';
import { defaultDomainPrefix, OperatorSignIn } from './operator-sign-in.ts';

/** The dashboard's API, and who may sign in to it. */
export interface DashboardProps {
  /** Public address of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /** @default - nobody is invited */
  readonly operatorEmail?: string | undefined;
  /** Whether operators need a second factor. */
  readonly operatorMfa: OperatorMfa;
  /** @default - the stack's name and the account */
  readonly operatorDomainPrefix?: string | undefined;
  /** @default - operators have passwords of the user pool */
  readonly operatorIdentityProvider?: OperatorIdentityProvider | undefined;
  readonly logRetentionDays: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The dashboard: its site and the sign-in of its operators.
 *
 * The pool comes first, because the site's policy names it; then the site; then the pool's client, which names the site. The
 * functions name all three and none of them names a function, so there is no cycle.
 */
export class Dashboard extends Construct {
  /** Issuer of operators' tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Whether operators need a second factor. */
  readonly operatorMfa: OperatorMfa;
  readonly site: DashboardSite;
  readonly #signIn: OperatorSignIn;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { removalPolicy, operatorEmail } = props;
    this.operatorMfa = props.operatorMfa;
    this.#signIn = new OperatorSignIn(this, 'SignIn', {
      domainPrefix: props.operatorDomainPrefix ?? defaultDomainPrefix(this),
      operatorEmail,
      mfa: props.operatorMfa,
      identityProvider: props.operatorIdentityProvider,
      logRetentionDays: props.logRetentionDays,
      removalPolicy,
    });
    this.issuer = this.#signIn.issuer;
    this.site = new DashboardSite(this, 'Site', {
      gatewayUrl: props.baseUrl,
      otherSources: [this.issuer, this.#signIn.signInUrl].map((address) => `${address}/`),
      removalPolicy,
    });
    this.clientId = this.#signIn.addDashboard(this.site.origin);
  }

  /** Lets a function accept operators' tokens and answer the dashboard's pages. */
  setManagement(fn: GatewayFunction): void {
    this.#signIn.setOperatorIssuer(fn, this.clientId);
    this.site.setOrigin(fn);
  }
}
