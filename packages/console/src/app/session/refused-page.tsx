import { Mark } from '../layout/icons.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { LogOut } from './log-out.tsx'

/** The page of a user without the permissions of an operator. The user can log out, and log in as another. */
export function RefusedPage({ error }: { readonly error: unknown }) {
  return (
    <main className="login">
      <title>No access · Sallyport</title>
      <div className="login-card">
        <div className="brand">
          <Mark />
          <span>Sallyport</span>
        </div>
        <h1 className="login-title">No access</h1>
        <p>This account may not use the console. An admin gives roles.</p>
        <ErrorNotice error={error} />
        <LogOut />
      </div>
    </main>
  )
}
