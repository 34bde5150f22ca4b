import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';

/** Where the built dashboard is: alongside the packaged program, or where the project builds it. */
const FOLDERS = [join(import.meta.dirname, 'dashboard'), join(import.meta.dirname, '..', '..', 'dashboard', 'dist')];

/** `upload-dashboard`: puts the dashboard's files where a deployed stack serves them. */
export function addUploadDashboard(program: Command): void {
  program
    .command('upload-dashboard')
    .description("uploads the dashboard's files to a deployed stack (npm run deploy also does this)")
    .requiredOption('--stack <name>', 'the stack, with the outputs of a gateway')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .action(async ({ stack: name, region }: { stack: string; region?: string }) => {
      const folder = FOLDERS.find((one) => existsSync(join(one, 'index.html')));
      if (folder === undefined)
        throw new CommandProblem('The dashboard is not built: npm run build -w @integration-gateway/dashboard');
      const [{ readStack }, { dashboardTarget, siteObjects, uploadSite }, { bucketWriter }] = await Promise.all([
        import('../verify/account-checks.ts'),
        import('../../../dev/tools/deploy-dashboard.ts'),
        import('../../../dev/tools/bucket-writer.ts'),
      ]);
      const { outputs } = await readStack(name, region).catch((error: unknown) => {
        throw new CommandProblem(error instanceof Error ? error.message : String(error), EXIT.refused);
      });
      const target = dashboardTarget({ [name]: outputs });
      if (target === undefined) throw new CommandProblem(`The stack ${name} has no dashboard.`, EXIT.refused);
      await uploadSite(await siteObjects(folder, target.config), bucketWriter(target));
      printLine(`The dashboard is at ${target.url}`);
    });
}
