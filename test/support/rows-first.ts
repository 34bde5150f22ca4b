import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { bytesFromElsewhere } from '../../dev/tools/tagged-tests.ts';

/** Of tests that stand in other files. */
const MANY_BYTES = 64 * 1024;

/**
 * Vitest begins with the largest files, as their tests take longest. A file of a few lines whose tests stand elsewhere, such as rows of the
 * fault matrix, would come last, and nothing would run alongside it: it comes first.
 */
export default class RowsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const rows = new Set(
      rest.filter(({ moduleId }) => bytesFromElsewhere(relative(PROJECT_ROOT, moduleId)) > MANY_BYTES),
    );
    const part = ({ project }: TestSpecification) => `${project.config.sequence.groupOrder} ${project.name}`;
    const parts = [...new Set(rest.map(part))];
    return rest.toSorted(
      (one, other) =>
        parts.indexOf(part(one)) - parts.indexOf(part(other)) || Number(rows.has(other)) - Number(rows.has(one)),
    );
  }
}
