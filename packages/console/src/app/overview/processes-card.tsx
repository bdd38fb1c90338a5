import { useQuery } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

/** The processes that share the database, with the dependencies that each sees failing. */
export function ProcessesCard() {
  const query = useQuery({
    queryKey: ['processes'],
    queryFn: ({ signal }) => unwrap(api.GET('/processes', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: 5000,
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const processes = query.data.data
  if (processes.length === 0) return null
  return (
    <Card title="Processes">
      <Table
        caption="The processes that share the database"
        columns={['State', 'Roles', 'Process', 'Version', 'Last heartbeat', 'Unavailable']}
      >
        {processes.map((process) => (
          <Row key={process.id} process={process} />
        ))}
      </Table>
    </Card>
  )
}

function Row({ process }: { readonly process: Schemas['Process'] }) {
  const failing = process.dependencies.filter(({ status }) => status === 'unavailable')
  return (
    <tr>
      <td>
        <Badge state={process.status} />
      </td>
      <td data-label="Roles">
        <Untrusted text={process.roles.join(', ')} limit={80} />
      </td>
      <td data-label="Process">
        <Untrusted text={`${process.host}:${process.pid}`} limit={80} />
      </td>
      <td data-label="Version">
        <Untrusted text={process.version ?? ''} limit={40} />
      </td>
      <td data-label="Last heartbeat">
        <Time value={process.seen_at} isRelative />
      </td>
      <td data-label="Unavailable">
        {failing.length === 0 ? 'none' : <Untrusted text={failing.map(describe).join(', ')} limit={200} />}
      </td>
    </tr>
  )
}

const describe = ({ name, code }: Schemas['Process']['dependencies'][number]): string =>
  code === null ? name : `${name} (${code})`
