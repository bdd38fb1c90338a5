import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Icon } from '../layout/icons.tsx'
import { settings } from '../settings.ts'
import { Button } from '../ui/button.tsx'
import { Untrusted } from '../ui/text.tsx'
import { logOut } from './cookie.ts'
import { useOperator, useSession } from './session.tsx'

/** The name of the operator, and a button that ends the session. */
export function LogOut() {
  const { setSignedOut } = useSession()
  const queries = useQueryClient()
  const operator = useOperator()
  const end = useMutation({
    mutationFn: logOut,
    // A session that has ended already is answered 401.
    onSettled: () => {
      setSignedOut(true)
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'features' })
    },
  })
  return (
    <>
      {operator?.name !== undefined && (
        <p className="operator">
          <Untrusted text={operator.name} limit={40} />
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
