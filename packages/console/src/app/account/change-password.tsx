import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { useSignOut } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'

/** Changes the password of the operator, with the current one. The change ends all sessions. */
export function ChangePassword({ id }: { readonly id: string }) {
  const signOut = useSignOut()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      unwrap(
        api.PATCH('/users/{id}', {
          params: { path: { id } },
          body: { password, current_password: current },
        }),
      ),
    onSuccess: signOut,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={current}
        onChange={setCurrent}
      />
      <TextField
        label="New password"
        hint="At least 8 characters"
        type="password"
        autoComplete="new-password"
        isRequired
        minLength={8}
        maxLength={128}
        value={password}
        onChange={setPassword}
      />
      <p className="hint">You are logged out everywhere, and log in again with the new password.</p>
      {change.isError && <ErrorNotice error={change.error} />}
      <div className="card-foot">
        <Button type="submit" look="primary" isDisabled={change.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
