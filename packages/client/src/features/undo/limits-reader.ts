import type { LimitsReader } from '../../management/feature-slots.ts';

/** Whether what the key writes is kept, so that it can be undone. */
export const limitsReader: LimitsReader = ({ journal }) =>
  journal === undefined ? {} : { journal: journal === 'required' ? 'required' : true };
