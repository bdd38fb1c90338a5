import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { useList } from '../ui/use-list.ts'
import { toPublicAddress } from './address.ts'

/** The endpoints of the file of the server, which are read-only. */
export function DeclaredEndpoints() {
  const list = useList({
    key: ['declared-endpoints'],
    load: (cursor, signal) =>
      unwrap(api.GET('/declared-endpoints', { params: { query: { cursor, limit: 50 } }, signal })),
  })
  return (
    <section className="section" aria-labelledby="declared">
      <h2 id="declared">Endpoints of the file</h2>
      <p className="muted">These endpoints are read-only here: change the file of endpoints.</p>
      <ListFrame list={list} empty={<Empty title="The file declares no endpoint." />}>
        <Table
          caption="Endpoints of the file"
          columns={['Name', 'Provider', 'Status', numberColumn('Secrets'), 'Kinds', 'Address']}
        >
          {list.items.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} />
          ))}
        </Table>
      </ListFrame>
    </section>
  )
}

function Row({ endpoint }: { readonly endpoint: Schemas['DeclaredEndpoint'] }) {
  const { id, name, provider, status, secrets, options } = endpoint
  return (
    <tr>
      <td className="cell-main">
        <Link href={`/deliveries?endpoint=${encodeURIComponent(id)}`} className="row-link">
          <Untrusted text={name ?? id} limit={100} />
        </Link>
        <span className="row-detail">{id}</span>
      </td>
      <td>{provider}</td>
      <td>
        <Badge state={status} />
      </td>
      <td className="cell-number" data-label="Secrets">
        {secrets}
      </td>
      <td>{options.only?.join(', ') ?? 'all kinds'}</td>
      <td>
        <CopyButton text={toPublicAddress(endpoint.url)} label="Copy address" />
      </td>
    </tr>
  )
}
