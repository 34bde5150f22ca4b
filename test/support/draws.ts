/** Whether every random case is drawn, which `npm run test:long` asks for. */
export const DRAWS_ALL = process.env.DRAWS === 'all';

/** How many random cases a test tagged `drawn` draws: all of them in `npm run test:long`, a quarter in `npm test`. */
export function drawn(all: number): number {
  return DRAWS_ALL ? all : Math.ceil(all / 4);
}
