import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useFeatures } from '../api/features.tsx'
import { Icon } from '../layout/icons.tsx'
import { settings } from '../settings.ts'
import { Button } from '../ui/button.tsx'
import { Untrusted } from '../ui/text.tsx'
import { logOut } from './cookie.ts'
import { useOperator, useSignOut } from './session.tsx'
import { leaveForIssuer } from './single-sign-on.tsx'

/** The name of the operator, which leads to the account, and a button that ends the session. */
export function LogOut() {
  const { has } = useFeatures()
  const operator = useOperator()
  const signOut = useSignOut()
  const end = useMutation({
    mutationFn: logOut,
    // A session that has ended already is answered 401.
    onSettled() {
      signOut()
      if (settings.login.kind === 'sessions' && settings.login.singleSignOn !== undefined)
        leaveForIssuer(settings.login.singleSignOn.address)
    },
  })
  return (
    <>
      {operator?.name !== undefined && (
        <p className="operator">
          {has('getUser') ? (
            <Link href="/account" title="Your account">
              <Untrusted text={operator.name} limit={40} />
            </Link>
          ) : (
            <Untrusted text={operator.name} limit={40} />
          )}
        </p>
      )}
      {settings.login.kind === 'sessions' && (
        <Button
          look="quiet"
          isDisabled={end.isPending}
          onPress={() => {
            end.mutate()
          }}
        >
          <Icon name="logout" />
          Log out
        </Button>
      )}
    </>
  )
}
