import { resolveAddress } from '../settings.ts'
import { Notice } from '../ui/notice.tsx'

/** What each `login_error` of the host means. The query is not trusted, so no other text is shown. */
const failures: ReadonlyMap<string, string> = new Map([
  ['expired', 'The login took too long, or began in another window. Log in again.'],
  ['denied', 'The login was refused. Ask an administrator.'],
  [
    'failed',
    'The answer of the issuer is not valid. An administrator finds the reason in the log of the server.',
  ],
  ['unavailable', 'The issuer does not answer. Try again later.'],
  ['no_role', 'Your account has no role here. Ask an administrator for a group that has one.'],
  ['suspended', 'Your account is suspended. Ask an administrator.'],
])

/** A link to the login at an issuer, which leads back to this page, and why the last login failed. */
export function SingleSignOn({ address, name }: { readonly address: string; readonly name: string }) {
  const failure = failures.get(new URLSearchParams(location.search).get('login_error') ?? '')
  return (
    <>
      {failure !== undefined && (
        <Notice tone="warn">
          <p>{failure}</p>
        </Notice>
      )}
      <a className="button button-primary" href={`${resolveAddress(address)}?return_to=${getReturnPath()}`}>
        Sign in with {name}
      </a>
    </>
  )
}

/** The address of this page without an earlier failure. */
function getReturnPath(): string {
  const { pathname, search, hash } = location
  const query = new URLSearchParams(search)
  if (!query.has('login_error')) return encodeURIComponent(pathname + search + hash)
  query.delete('login_error')
  return encodeURIComponent(query.size > 0 ? `${pathname}?${query.toString()}${hash}` : pathname + hash)
}

/** Leaves for the address that ends the session at the issuer. */
export function leaveForIssuer(address: string): void {
  location.assign(`${resolveAddress(address)}/end`)
}
