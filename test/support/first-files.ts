import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { filesTagged } from '../../dev/tools/tagged-tests.ts';

/**
 * Vitest begins with the largest files, as their tests take longest. A small file that takes long would come last, and nothing would run
 * alongside it: with the tag `first` it comes first.
 */
export default class FirstFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const tagged = new Set(filesTagged('first'));
    const isFirst = ({ moduleId }: TestSpecification) => tagged.has(relative(PROJECT_ROOT, moduleId));
    const part = ({ project }: TestSpecification) => `${project.config.sequence.groupOrder} ${project.name}`;
    const parts = [...new Set(rest.map(part))];
    return rest.toSorted(
      (one, other) =>
        parts.indexOf(part(one)) - parts.indexOf(part(other)) || Number(isFirst(other)) - Number(isFirst(one)),
    );
  }
}
