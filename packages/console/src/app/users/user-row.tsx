import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { EditUser } from './edit-user.tsx'
import { getRole } from './roles.ts'

/** A user, and what an admin does with the user. */
export function UserRow({ user }: { readonly user: Schemas['User'] }) {
  const { id, name, email, role, status, endpoints } = user
  const queries = useQueryClient()
  const isSelf = useOperator()?.id === id
  const [asked, setAsked] = useState<'change' | 'log out' | 'delete'>()
  const close = () => {
    setAsked(undefined)
  }
  const params = { path: { id } }
  const logOut = useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/{id}/sessions', { params })),
    onSuccess: close,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/{id}', { params })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  return (
    <tr>
      <td className="cell-main">
        <strong>
          <Untrusted text={name} limit={100} />
        </strong>
        {isSelf && <span className="muted"> (you)</span>}
        <span className="row-detail">
          <Untrusted text={email} limit={254} />
        </span>
        {user.issuer != null && <span className="row-detail">single sign-on</span>}
      </td>
      <td data-label="Role">
        {getRole(role).label}
        {endpoints !== null && (
          <span className="row-detail">
            <Untrusted text={endpoints} limit={100} />
          </span>
        )}
      </td>
      <td>
        <Badge state={status} tone={status === 'active' ? 'good' : 'warn'} />
      </td>
      <td className="cell-time" data-label="Since">
        <Time value={user.created_at} />
      </td>
      <td className="cell-number">
        {(['change', 'log out', 'delete'] as const).map((action) => (
          <Button
            key={action}
            look="quiet"
            aria-label={`${labels[action]}: ${email}`}
            onPress={() => {
              setAsked(action)
            }}
          >
            {labels[action]}
          </Button>
        ))}
        <EditUser user={user} isOpen={asked === 'change'} onClose={close} />
        <Confirm
          title="Log the user out"
          isOpen={asked === 'log out'}
          onClose={close}
          action="Log out everywhere"
          change={logOut}
        >
          <p>
            This ends all sessions of <Untrusted text={email} limit={254} />. The user can log in again. API
            keys stay.
          </p>
        </Confirm>
        <Confirm
          title="Delete the user"
          isOpen={asked === 'delete'}
          onClose={close}
          action="Delete"
          isDangerous
          change={remove}
        >
          <p>
            This deletes <Untrusted text={email} limit={254} /> and what belongs to the user for good. API
            keys of the user stop. To keep the account, suspend the user.
          </p>
        </Confirm>
      </td>
    </tr>
  )
}

const labels = { change: 'Change', 'log out': 'Log out', delete: 'Delete' } as const
