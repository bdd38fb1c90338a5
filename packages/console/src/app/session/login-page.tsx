import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Mark } from '../layout/icons.tsx'
import { settings } from '../settings.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { logIn } from './cookie.ts'
import { useSignIn } from './session.tsx'
import { SingleSignOn } from './single-sign-on.tsx'

/** The page of an operator without a session. */
export function LoginPage() {
  const { login } = settings
  return (
    <main className="login">
      <title>Log in · Sallyport</title>
      <div className="login-card">
        <div className="brand">
          <Mark />
          <span>Sallyport</span>
        </div>
        <h1 className="login-title">Log in</h1>
        {login.kind === 'sessions' && <Sessions login={login} />}
        {login.kind === 'page' && (
          <a className="button button-primary" href={login.address}>
            Log in
          </a>
        )}
        {login.kind === 'none' && <p>Log in at your host, then reload this page.</p>}
      </div>
    </main>
  )
}

/** A login elsewhere, a login with a password, or both. */
function Sessions({ login }: { readonly login: Extract<typeof settings.login, { kind: 'sessions' }> }) {
  const { singleSignOn, arePasswordsUsual } = login
  if (singleSignOn === undefined) return <LoginForm />
  return (
    <>
      <SingleSignOn {...singleSignOn} />
      <details className="login-password" open={arePasswordsUsual}>
        <summary>Log in with a password</summary>
        <LoginForm />
      </details>
    </>
  )
}

function LoginForm() {
  const signIn = useSignIn()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const create = useMutation({
    mutationFn: () => logIn(email, password),
    onSuccess: signIn,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        isRequired
        autoFocus={settings.login.kind === 'sessions' && settings.login.singleSignOn === undefined}
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      {create.isError && <ErrorNotice error={create.error} />}
      <Button type="submit" look="primary" isDisabled={create.isPending}>
        {create.isPending ? 'Checking…' : 'Log in'}
      </Button>
    </form>
  )
}
