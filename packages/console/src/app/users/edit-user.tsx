import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { DialogBox, DialogForm } from '../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../ui/fields.tsx'
import { Untrusted } from '../ui/text.tsx'
import { getRole, roles, toRole } from './roles.ts'

interface Props {
  readonly user: Schemas['User']
  readonly onClose: () => void
}

/** Changes the role, the endpoints and the status of a user. */
export function EditUser({ isOpen, ...props }: Props & { readonly isOpen: boolean }) {
  return (
    <DialogBox title="Change the user" isOpen={isOpen} onClose={props.onClose}>
      <Form {...props} />
    </DialogBox>
  )
}

function Form({ user, onClose }: Props) {
  const queries = useQueryClient()
  const isManagedHere = user.issuer == null
  const [role, setRole] = useState(user.role)
  const [endpoints, setEndpoints] = useState(user.endpoints ?? '')
  const [isSuspended, setSuspended] = useState(user.status === 'suspended')
  const change = useMutation({
    mutationFn: () =>
      unwrap(
        api.PATCH('/users/{id}', {
          params: { path: { id: user.id } },
          body: {
            ...(isManagedHere && {
              role,
              endpoints: role === 'admin' || endpoints.trim() === '' ? null : endpoints.trim(),
            }),
            status: isSuspended ? 'suspended' : 'active',
          },
        }),
      ),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
  return (
    <DialogForm action="Save" change={change} onClose={onClose}>
      <p>
        <Untrusted text={user.email} limit={254} />
      </p>
      {isManagedHere ? (
        <SelectField
          label="Role"
          choices={roles}
          value={role}
          onChange={(name) => {
            setRole(toRole(name))
          }}
        />
      ) : (
        <p>
          {getRole(role).label}: the groups at <Untrusted text={user.issuer ?? ''} limit={200} /> give the
          role and its endpoints.
        </p>
      )}
      <p className="hint">{getRole(role).may}</p>
      {isManagedHere && role !== 'admin' && (
        <TextField
          label="Endpoints"
          hint="All, or those with labels, such as region=eu,plan=gold; a semicolon separates alternatives"
          value={endpoints}
          onChange={setEndpoints}
          maxLength={1000}
        />
      )}
      <Checkbox isSelected={isSuspended} onChange={setSuspended}>
        Suspended: the user cannot log in
      </Checkbox>
      <p className="hint">
        {isManagedHere ? 'A new role and a suspension log the user out.' : 'A suspension logs the user out.'}
      </p>
    </DialogForm>
  )
}
