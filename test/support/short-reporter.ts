import { DefaultReporter, type TestCase, type TestModule, type TestSuite } from 'vitest/node';
import { failureLines } from './failure-lines.ts';

type Summary = Parameters<DefaultReporter['reportSummary']>;

/** Vitest's default reporter, with failures in a few lines each. */
export default class ShortReporter extends DefaultReporter {
  #modules: readonly TestModule[] = [];

  override onTestRunEnd(...[modules, ...others]: Parameters<DefaultReporter['onTestRunEnd']>): void {
    this.#modules = modules;
    super.onTestRunEnd(modules, ...others);
  }

  override reportSummary(files: Summary[0], errors: Summary[1]): void {
    for (const module of this.#modules) {
      this.#print(module, [], module.errors());
      for (const suite of module.children.allSuites()) this.#print(module, titlesOf(suite), suite.errors());
      for (const test of module.children.allTests('failed')) {
        this.#print(module, titlesOf(test), test.result().errors ?? []);
      }
    }
    if (errors.length > 0) this.ctx.logger.printUnhandledErrors(errors);
    this.reportTestSummary(files, errors, 0);
  }

  /** Failures stand together at the end. */
  protected override logFailedTask(): void {}

  #print(
    module: TestModule,
    titles: readonly string[],
    errors: readonly ReturnType<TestModule['errors']>[number][],
  ): void {
    if (errors.length === 0) return;
    const file = this.relative(module.moduleId);
    this.error(`\n${failureLines({ project: module.project.name, file, titles, errors }).join('\n')}`);
  }
}

function titlesOf(one: TestCase | TestSuite): string[] {
  return one.parent.type === 'module' ? [one.name] : [...titlesOf(one.parent), one.name];
}
