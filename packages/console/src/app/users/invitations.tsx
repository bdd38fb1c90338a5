import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { actionsColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { getRole } from './roles.ts'

/** The unused invitations; nothing if there are none. */
export function Invitations() {
  const list = useList({
    key: ['invitations'],
    load: (cursor, signal) =>
      unwrap(api.GET('/invitations', { params: { query: { cursor, limit: 50 } }, signal })),
  })
  if (list.isSuccess && list.items.length === 0) return null
  return (
    <section className="section">
      <h2>Open invitations</h2>
      <ListFrame list={list} empty={null}>
        <Table caption="Open invitations" columns={['For', 'Role', 'Expires', actionsColumn]}>
          {list.items.map((invitation) => (
            <Row key={invitation.id} invitation={invitation} />
          ))}
        </Table>
      </ListFrame>
    </section>
  )
}

function Row({ invitation }: { readonly invitation: Schemas['Invitation'] }) {
  const { id, email, role } = invitation
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  return (
    <tr>
      <td className="cell-main">{email === null ? 'Any address' : <Untrusted text={email} limit={254} />}</td>
      <td data-label="Role">{getRole(role).label}</td>
      <td className="cell-time" data-label="Expires">
        <Time value={invitation.expires_at} isRelative />
      </td>
      <td className="cell-number">
        <Button
          look="quiet"
          isDisabled={remove.isPending}
          onPress={() => {
            remove.mutate()
          }}
        >
          Withdraw
        </Button>
        {remove.isError && <ErrorNotice error={remove.error} />}
      </td>
    </tr>
  )
}
