import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator, useSignOut } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { getRole } from '../users/roles.ts'
import { ChangePassword } from './change-password.tsx'

/** The account of the operator. */
export function AccountPage() {
  const id = useOperator()?.id ?? ''
  const query = useQuery({
    queryKey: ['users', id],
    queryFn: ({ signal }) => unwrap(api.GET('/users/{id}', { params: { path: { id } }, signal })),
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { name, email, role, issuer } = query.data.data
  return (
    <>
      <PageHeader title="Account" tabTitle="Account" lead="You, your password and your sessions." />
      <div className="account">
        <Card title="You">
          <dl className="facts">
            <Fact name="Name">
              <Untrusted text={name} limit={100} />
            </Fact>
            <Fact name="E-mail">
              <Untrusted text={email} limit={254} />
            </Fact>
            <Fact name="Role">{getRole(role).label}</Fact>
          </dl>
          <p className="hint">{getRole(role).may}</p>
          {issuer != null && (
            <p className="hint">
              Your password, e-mail address and role are at <Untrusted text={issuer} limit={200} />.
            </p>
          )}
        </Card>
        {issuer == null && (
          <Card title="Password">
            <ChangePassword id={id} />
          </Card>
        )}
        <Card title="Sessions">
          <LogOutEverywhere id={id} />
        </Card>
      </div>
    </>
  )
}

function LogOutEverywhere({ id }: { readonly id: string }) {
  const signOut = useSignOut()
  const [isAsking, setAsking] = useState(false)
  const logOut = useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/{id}/sessions', { params: { path: { id } } })),
    onSuccess: signOut,
  })
  return (
    <>
      <p className="hint">Ends your sessions on every device, this one too. API keys stay.</p>
      <div className="card-foot">
        <Button
          onPress={() => {
            setAsking(true)
          }}
        >
          Log out everywhere
        </Button>
      </div>
      <Confirm
        title="Log out everywhere"
        isOpen={isAsking}
        onClose={() => {
          setAsking(false)
        }}
        action="Log out everywhere"
        change={logOut}
      >
        <p>You can log in again afterwards.</p>
      </Confirm>
    </>
  )
}
