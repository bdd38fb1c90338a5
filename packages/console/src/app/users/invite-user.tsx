import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { CopyOnce } from '../ui/copy-once.tsx'
import { basePath } from '../settings.ts'
import { DialogBox, DialogResult, DialogForm } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { getRole, roles, toRole, type Role } from './roles.ts'

/** Creates an invitation and shows its link once. */
export function InviteUser({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <DialogBox title="Invite a user" isOpen={isOpen} onClose={onClose} role="alertdialog">
      <Form onClose={onClose} />
    </DialogBox>
  )
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const invite = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/invitations', { body: { email: email === '' ? null : email, role, valid_days: 7 } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  if (invite.data) {
    return (
      <DialogResult message="The invitation is created." onClose={onClose}>
        <CopyOnce label="Link" value={`${location.origin}${basePath}/join#${invite.data.data.token}`} />
        <p className="hint">
          Send the link to the new user. It registers one user within 7 days, and is not shown again.
        </p>
      </DialogResult>
    )
  }
  return (
    <DialogForm action="Invite" change={invite} onClose={onClose}>
      <TextField
        label="E-mail"
        hint="Only this address can use the invitation. Leave it empty for any address."
        type="email"
        autoFocus
        value={email}
        onChange={setEmail}
        maxLength={254}
      />
      <SelectField
        label="Role"
        choices={roles}
        value={role}
        onChange={(name) => {
          setRole(toRole(name))
        }}
      />
      <p className="hint">{getRole(role).may}</p>
    </DialogForm>
  )
}
