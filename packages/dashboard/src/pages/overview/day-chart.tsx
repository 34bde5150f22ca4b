import { chartTicks } from '../../model/chart-ticks.ts';
import { dayLabel } from '../../model/time.ts';

/** Fits beside the plot: 1.5M. */
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' });

/** What a colour stands for. */
export interface Series {
  readonly title: string;
  readonly color: 'good' | 'bad' | 'warn';
}

/** One day: its start in epoch milliseconds and a count per series, in their order. */
export interface ChartDay {
  readonly dayMs: number;
  readonly counts: readonly number[];
}

/** The days up to now as words for a sentence. */
export function lastDays(count: number): string {
  return count === 1 ? 'today' : `the last ${count} days`;
}

/**
 * Stacked columns, one per day, as plain boxes: they fit any width and follow light and dark. Pointing at a column tells
 * its numbers; screen readers get a table instead of the picture.
 */
export function DayChart({
  label,
  series,
  days,
}: {
  label: string;
  series: readonly Series[];
  days: readonly ChartDay[];
}) {
  const totals = days.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const ticks = chartTicks(Math.max(0, ...totals));
  const top = ticks.at(-1) ?? 1;
  return (
    <figure className="chart">
      <div className="chart-plot" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} className="chart-tick" style={{ bottom: `${(tick / top) * 100}%` }}>
            {SHORT.format(tick)}
          </span>
        ))}
        <div className="chart-columns">
          {days.map((day) => (
            <div key={day.dayMs} className="chart-column" title={columnText(day, series)}>
              {day.counts.map(
                (count, index) =>
                  count > 0 && (
                    <span
                      key={series[index]?.title ?? index}
                      className={`chart-part ${series[index]?.color ?? 'good'}`}
                      style={{ height: `${(count / top) * 100}%` }}
                    />
                  ),
              )}
            </div>
          ))}
        </div>
      </div>
      <div className="chart-days" aria-hidden="true">
        {days.map(({ dayMs }) => (
          <span key={dayMs}>{dayLabel(dayMs)}</span>
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
        <NumbersTable label={label} series={series} days={days} />
      </div>
    </figure>
  );
}

function NumbersTable({
  label,
  series,
  days,
}: {
  label: string;
  series: readonly Series[];
  days: readonly ChartDay[];
}) {
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
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
            <th scope="row">{dayLabel(dayMs)}</th>
            {series.map(({ title }, index) => (
              <td key={title}>{counts[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function columnText({ dayMs, counts }: ChartDay, series: readonly Series[]): string {
  return [dayLabel(dayMs), ...series.map(({ title }, index) => `${title}: ${counts[index] ?? 0}`)].join('\n');
}
