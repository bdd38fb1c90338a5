import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { formatBytes } from '../ui/format.ts'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

export type Delivery = Schemas['Delivery']

/** Deliveries with a checkbox each. On a narrow screen each row is a card. */
export function DeliveryTable({
  deliveries,
  selected,
  onSelect,
}: {
  readonly deliveries: readonly Delivery[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}) {
  const isAll = deliveries.length > 0 && deliveries.every(({ id }) => selected.has(id))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <Table
      caption="Deliveries, newest first"
      columns={[
        {
          label: (
            <Checkbox
              aria-label="Select all shown deliveries"
              isSelected={isAll}
              isIndeterminate={!isAll && selected.size > 0}
              onChange={() => {
                onSelect(isAll ? new Set() : new Set(deliveries.map(({ id }) => id)))
              }}
            />
          ),
          kind: 'check',
        },
        'Status',
        'Received',
        'Event',
        'Problem',
        numberColumn('Attempts'),
        numberColumn('Size'),
      ]}
    >
      {deliveries.map((delivery) => (
        <tr key={delivery.id} className={selected.has(delivery.id) ? 'row-selected' : undefined}>
          <td className="cell-check">
            <Checkbox
              aria-label={`Select ${delivery.id}`}
              isSelected={selected.has(delivery.id)}
              onChange={() => {
                toggle(delivery.id)
              }}
            />
          </td>
          <td className="cell-status">
            <Badge state={delivery.status} />
          </td>
          <td className="cell-time">
            <Time value={delivery.created_at} />
          </td>
          <td className="cell-main">
            <DeliveryName delivery={delivery} />
          </td>
          <Problem delivery={delivery} />
          <td className="cell-number" data-label="Attempts">
            {delivery.attempts}
          </td>
          <td className="cell-number" data-label="Size">
            {formatBytes(delivery.body_bytes)}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The kind and the subject of a delivery, as a link to its page. */
function DeliveryName({ delivery }: { readonly delivery: Delivery }) {
  const { kind, subject } = delivery
  const customer = delivery.endpoint_name ?? delivery.endpoint
  return (
    <>
      <Link href={`/deliveries/${delivery.id}`} className="row-link">
        <Untrusted text={kind === null ? delivery.provider : `${delivery.provider}/${kind}`} limit={80} />
      </Link>
      <span className="row-detail">
        <Untrusted text={subject ?? delivery.id} limit={100} />
      </span>
      {customer !== null && (
        <span className="row-detail">
          <Untrusted text={customer} limit={100} />
        </span>
      )}
    </>
  )
}

function Problem({ delivery }: { readonly delivery: Delivery }) {
  const problem = delivery.reason ?? delivery.last_error
  if (problem === null) return <td className="cell-problem cell-none">–</td>
  return (
    <td className="cell-problem">
      <Untrusted text={problem} limit={80} />
    </td>
  )
}
