/**
 * Synthesizes with or without the CDK's own validation of templates, which takes longer than all else of a synthesis and has no other
 * switch than a variable of the environment.
 */
export function withValidation<Result>(isOn: boolean, synthesize: () => Result): Result {
  const before = process.env.CDK_VALIDATION;
  process.env.CDK_VALIDATION = String(isOn);
  try {
    return synthesize();
  } finally {
    if (before === undefined) delete process.env.CDK_VALIDATION;
    else process.env.CDK_VALIDATION = before;
  }
}
