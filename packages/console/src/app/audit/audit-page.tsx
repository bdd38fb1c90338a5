import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import type { DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'

const filters: readonly DeliveryFilter[] = [
  { name: 'action', label: 'Action', placeholder: 'delivery.replay' },
  { name: 'actor', label: 'Operator', placeholder: 'ann@example.com' },
  { name: 'target', label: 'Target', placeholder: 'Id of a delivery' },
  { name: 'createdAfter', label: 'After', isTime: true },
  { name: 'createdBefore', label: 'Before', isTime: true },
]
const names = filters.map(({ name }) => name)

/** The actions of operators. */
export function AuditPage() {
  const [values, setValues] = useFilters(names)
  const list = useList({
    key: ['audit', values],
    load: (cursor, signal) =>
      unwrap(api.GET('/audit', { params: { query: { ...values, cursor, limit: 50 } }, signal })),
  })
  // The fields offer the values of the entries on the page.
  const suggestions: Readonly<Record<string, readonly string[]>> = {
    action: [...new Set(list.items.map(({ action }) => action))].sort(),
    actor: [...new Set(list.items.map(toOperator))].sort(),
  }
  const shown = filters.map((filter) => ({ ...filter, suggestions: suggestions[filter.name] }))
  return (
    <>
      <PageHeader
        title="Audit log"
        tabTitle="Audit log"
        lead="Replays, erasures and changes of operators, newest first."
      />
      <FilterBar filters={shown} values={values} onChange={setValues} />
      <ListFrame list={list} empty={<Empty title="No entry matches." />} end="These are all entries.">
        <Table
          caption="Audit entries, newest first"
          columns={['Time', 'Operator', 'Action', 'Target', 'Details']}
        >
          {list.items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Table>
      </ListFrame>
    </>
  )
}

const toOperator = ({ actor_name: name, actor_id: id }: Schemas['AuditEntry']): string => name ?? id

/** The page of a target, for actions on one delivery or endpoint. */
function toTargetPage({ action, target }: Schemas['AuditEntry']): string | undefined {
  const page = { delivery: 'deliveries', endpoint: 'endpoints' }[action.split('.')[0] ?? '']
  return page === undefined || target === null ? undefined : `/${page}/${encodeURIComponent(target)}`
}

function Entry({ entry }: { readonly entry: Schemas['AuditEntry'] }) {
  const details = Object.entries(entry.detail)
  const page = toTargetPage(entry)
  const target = (
    <code>
      <Untrusted text={entry.target ?? '–'} limit={100} />
    </code>
  )
  return (
    <tr>
      <td className="cell-time">
        <Time value={entry.created_at} />
      </td>
      <td className="cell-who">
        <Untrusted text={toOperator(entry)} limit={80} />
      </td>
      <td>
        <code>{entry.action}</code>
      </td>
      <td className="cell-main">{page === undefined ? target : <Link href={page}>{target}</Link>}</td>
      <td className="cell-problem">
        {details.map(([name, value]) => (
          <span key={name} className="pair">
            <span className="muted">{name}</span>{' '}
            <Untrusted text={typeof value === 'string' ? value : JSON.stringify(value)} limit={80} />
          </span>
        ))}
      </td>
    </tr>
  )
}
