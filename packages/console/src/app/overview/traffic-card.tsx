import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/fields.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { createBars, outcomes, roundUp, type Bar, type Statistics } from './chart.ts'
import { statisticsQuery, type Window } from './statistics.ts'

const all = 'all'

/** The requests per interval by outcome, and their reasons. */
export function TrafficCard({ window }: { readonly window: Window }) {
  const [provider, setProvider] = useState(all)
  const query = useQuery(statisticsQuery(window))
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const statistics = query.data.data
  const providers = [...new Set(statistics.series.map((one) => one.provider))].sort()
  const bars = createBars(statistics, provider === all ? undefined : provider)
  return (
    <>
      <Card
        title="Requests"
        actions={
          <SelectField
            label="Provider"
            choices={[{ id: all, label: 'All providers' }, ...providers.map((id) => ({ id, label: id }))]}
            value={provider}
            onChange={setProvider}
          />
        }
      >
        <Chart bars={bars} isLong={window !== '1h'} />
        <ul className="legend">
          {outcomes.map((outcome) => (
            <li key={outcome}>
              <span className={`swatch fill-${outcome}`} aria-hidden="true" />
              {outcome}{' '}
              <strong>{formatCount(bars.reduce((sum, { counts }) => sum + counts[outcome], 0))}</strong>
            </li>
          ))}
        </ul>
      </Card>
      <Reasons statistics={statistics} />
    </>
  )
}

const [width, height] = [900, 220]

function Chart({ bars, isLong }: { readonly bars: readonly Bar[]; readonly isLong: boolean }) {
  const top = roundUp(Math.max(...bars.map(({ total }) => total), 0))
  const step = width / Math.max(bars.length, 1)
  const format = new Intl.DateTimeFormat('en', {
    ...(isLong ? ({ day: 'numeric', month: 'short' } as const) : {}),
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const sum = bars.reduce((total, bar) => total + bar.total, 0)
  return (
    <figure className="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatCount(sum)} requests`}
      >
        {[0.25, 0.5, 0.75].map((part) => (
          <line key={part} x1="0" x2={width} y1={height * part} y2={height * part} className="chart-line" />
        ))}
        {bars.map((bar, index) => {
          let y = height
          return (
            <g key={bar.from}>
              <title>{`${format.format(bar.from)}: ${outcomes.map((name) => `${name} ${bar.counts[name]}`).join(', ')}`}</title>
              <rect x={index * step} y={0} width={step} height={height} className="chart-hit" />
              {outcomes.map((outcome) => {
                const size = (bar.counts[outcome] / top) * height
                y -= size
                return (
                  size > 0 && (
                    <rect
                      key={outcome}
                      className={`fill-${outcome}`}
                      x={index * step + step * 0.12}
                      y={y}
                      width={step * 0.76}
                      height={size}
                    />
                  )
                )
              })}
            </g>
          )
        })}
      </svg>
      <span className="chart-top">{formatCount(top)}</span>
      <figcaption className="chart-times">
        <span>{bars[0] && format.format(bars[0].from)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  )
}

function Reasons({ statistics }: { readonly statistics: Statistics }) {
  const { reasons } = statistics
  if (reasons.length === 0) return null
  return (
    <Card title="Reasons">
      <Table
        caption="Reasons of ignored, quarantined and refused requests"
        columns={['Outcome', 'Provider', 'Reason', numberColumn('Requests')]}
      >
        {reasons.slice(0, 20).map(({ provider, outcome, reason, count }) => (
          <tr key={`${outcome} ${provider} ${reason}`}>
            <td>
              <span className={`swatch fill-${outcome}`} aria-hidden="true" /> {outcome}
            </td>
            <td data-label="Provider">
              <Untrusted text={provider} limit={80} />
            </td>
            <td data-label="Reason">
              <Untrusted text={reason} limit={80} />
            </td>
            <td className="cell-number" data-label="Requests">
              {formatCount(count)}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}
