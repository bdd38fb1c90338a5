import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { Mark } from '../layout/icons.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { logIn } from './cookie.ts'
import { useSignIn } from './session.tsx'

/** The page of an invitation, which registers a user. Servers do not see the fragment of the link, which is the token. */
export function JoinPage() {
  const invitation = location.hash.slice(1)
  return (
    <main className="login">
      <title>Join · Sallyport</title>
      <div className="login-card">
        <div className="brand">
          <Mark />
          <span>Sallyport</span>
        </div>
        <h1 className="login-title">Join</h1>
        {invitation === '' ? (
          <Notice tone="warn">
            <p>The link has no invitation: open the whole link.</p>
          </Notice>
        ) : (
          <JoinForm invitation={invitation} />
        )}
      </div>
    </main>
  )
}

function JoinForm({ invitation }: { readonly invitation: string }) {
  const signIn = useSignIn()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const join = useMutation({
    async mutationFn() {
      await unwrap(api.POST('/users', { body: { name: name.trim(), email, password, invitation } }))
      await logIn(email, password)
    },
    async onSuccess() {
      navigate('/', { replace: true })
      await signIn()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        join.mutate()
      }}
    >
      <TextField
        label="Name"
        autoComplete="name"
        isRequired
        autoFocus
        minLength={2}
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        isRequired
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        hint="At least 8 characters"
        type="password"
        autoComplete="new-password"
        isRequired
        minLength={8}
        maxLength={128}
        value={password}
        onChange={setPassword}
      />
      {join.isError && <ErrorNotice error={join.error} />}
      <Button type="submit" look="primary" isDisabled={join.isPending}>
        {join.isPending ? 'Joining…' : 'Join'}
      </Button>
    </form>
  )
}
