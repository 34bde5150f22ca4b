import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { chartTicks } from '../../model/chart-ticks.ts';
import { dayLabel } from '../../model/time.ts';

/** Fits alongside the plot: 1.5M. */
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' });

/** The meaning of a colour. */
export interface Series {
  readonly title: string;
  readonly color: 'good' | 'bad' | 'warn' | 'own' | 'soft-part';
}

/** One day, or minute: its start in epoch milliseconds and a count per series, in their order. */
export interface ChartDay {
  readonly dayMs: number;
  readonly counts: readonly number[];
}

/** The days up to now as words for a sentence. */
export function lastDays(count: number): string {
  return count === 1 ? 'today' : `the last ${count} days`;
}

/** Rules of columns that are no days. */
interface ColumnRules {
  /** Name of a column. @default 'Day' */
  readonly columnName?: string;
  /** Words for a column by its start. @default the day */
  readonly labelOf?: (ms: number) => string;
  /** Only every so many columns have room for their words below. */
  readonly labelEvery?: number;
  /** Where a column with something in it leads. */
  readonly hrefOf?: (column: ChartDay) => string;
}

/**
 * Stacked columns, one per day, as plain boxes: they fit any width and follow light and dark. A tooltip shows a column's numbers, and
 * the column may be a link to the counted things; screen readers get a table instead of the picture.
 */
export function DayChart({
  label,
  series,
  days,
  columnName = 'Day',
  labelOf = dayLabel,
  labelEvery = 1,
  hrefOf,
}: {
  label: string;
  series: readonly Series[];
  days: readonly ChartDay[];
} & ColumnRules) {
  const totals = days.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const ticks = chartTicks(Math.max(0, ...totals));
  const top = ticks.at(-1) ?? 1;
  return (
    <figure className="chart">
      <div className="chart-plot">
        {ticks.map((tick) => (
          <span key={tick} aria-hidden="true" className="chart-tick" style={{ bottom: `${(tick / top) * 100}%` }}>
            {SHORT.format(tick)}
          </span>
        ))}
        <div className="chart-columns">
          {days.map((day) => (
            <Column
              key={day.dayMs}
              text={columnText(day, series, labelOf)}
              href={day.counts.some((count) => count > 0) ? hrefOf?.(day) : undefined}
            >
              {day.counts.map(
                (count, index) =>
                  count > 0 && (
                    <span
                      key={series[index]?.title ?? index}
                      aria-hidden="true"
                      className={`chart-part ${series[index]?.color ?? 'good'}`}
                      style={{ height: `${(count / top) * 100}%` }}
                    />
                  ),
              )}
            </Column>
          ))}
        </div>
      </div>
      <div className={labelEvery === 1 ? 'chart-days' : 'chart-days few'} aria-hidden="true">
        {days.map(({ dayMs }, index) => (
          <span key={dayMs}>{index % labelEvery === 0 ? labelOf(dayMs) : ''}</span>
        ))}
      </div>
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ title, color }) => (
          <li key={title}>
            <span className={`chart-key ${color}`} />
            {title}
          </li>
        ))}
      </ul>
      {/* A table is never narrower than its words, so the box around it is what nobody sees. */}
      <div className="for-screen-readers">
        <NumbersTable label={label} series={series} days={days} columnName={columnName} labelOf={labelOf} />
      </div>
    </figure>
  );
}

function NumbersTable({
  label,
  series,
  days,
  columnName,
  labelOf,
}: {
  label: string;
  series: readonly Series[];
  days: readonly ChartDay[];
} & Required<Pick<ColumnRules, 'columnName' | 'labelOf'>>) {
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{columnName}</th>
          {series.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ dayMs, counts }) => (
          <tr key={dayMs}>
            <th scope="row">{labelOf(dayMs)}</th>
            {series.map(({ title }, index) => (
              <td key={title}>{counts[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A column; a link where it leads somewhere, which a reader of the table below cannot follow otherwise. */
function Column({ text, href, children }: { text: string; href: string | undefined; children: ReactNode }) {
  return href === undefined ? (
    <div className="chart-column" title={text} aria-hidden="true">
      {children}
    </div>
  ) : (
    <Link to={href} className="chart-column" title={text} aria-label={`Show ${text.replaceAll('\n', ', ')}`}>
      {children}
    </Link>
  );
}

function columnText({ dayMs, counts }: ChartDay, series: readonly Series[], labelOf: (ms: number) => string): string {
  return [labelOf(dayMs), ...series.map(({ title }, index) => `${title}: ${counts[index] ?? 0}`)].join('\n');
}
