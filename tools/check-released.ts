/** A part of `npm run check`: fails when an update from the last release would replace or remove what must be kept. */
import { lossesSince, RELEASED_TEMPLATE, synthesizeDefaults } from './released-template.ts';

using synthesis = await synthesizeDefaults();
const losses = await lossesSince(RELEASED_TEMPLATE, synthesis);
if (losses.length > 0) {
  console.error(
    ['An update from the last release would lose data or addresses:', ...losses.map((loss) => `  - ${loss}`)].join(
      '\n',
    ),
  );
  console.error(
    'Keep the logical id and the property, or describe the migration in docs/deploy.md and release it first.',
  );
  process.exitCode = 1;
}
