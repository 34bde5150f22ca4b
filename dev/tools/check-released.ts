/** A part of `npm run check`: fails when an update from the last release would replace or remove what must be kept. */
import { synthesizeDefaults, undecidedLosses } from './released-template.ts';

using synthesis = await synthesizeDefaults();
const losses = await undecidedLosses(synthesis);
if (losses.length > 0) {
  console.error(
    ['An update from the last release would lose data or addresses:', ...losses.map((loss) => `  - ${loss}`)].join(
      '\n',
    ),
  );
  console.error(
    'Keep the logical id and the property. Or describe the migration in docs/deploy.md, say under Breaking in CHANGELOG.md what to do, and name the id in lib/released/given-up.json.',
  );
  process.exitCode = 1;
}
