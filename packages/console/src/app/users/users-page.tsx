import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useSignOut } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { actionsColumn, Table } from '../ui/table.tsx'
import { useList } from '../ui/use-list.ts'
import { Invitations } from './invitations.tsx'
import { InviteUser } from './invite-user.tsx'
import { roles, toRole } from './roles.ts'
import { UserRow } from './user-row.tsx'

const everyRole = { id: 'every', label: 'Every role' }

/** The users and their roles. */
export function UsersPage() {
  const { has } = useFeatures()
  const [text, setText] = useState('')
  const [role, setRole] = useState(everyRole.id)
  const search = useDeferredValue(text.trim())
  const query = {
    limit: 50,
    ...(search !== '' && { search }),
    ...(role !== everyRole.id && { role: toRole(role) }),
  }
  const list = useList({
    key: ['users', query],
    load: (cursor, signal) => unwrap(api.GET('/users', { params: { query: { ...query, cursor } }, signal })),
  })
  return (
    <>
      <PageHeader
        title="Users"
        tabTitle="Users"
        lead={
          has('createInvitation')
            ? 'Who may use this server. A role decides what a user may do.'
            : 'Who may use this server. Registration is closed: only admins register users, with the API.'
        }
      >
        <Actions />
      </PageHeader>
      <div className="filters filter-fields">
        <TextField label="Name" type="search" value={text} onChange={setText} maxLength={100} />
        <SelectField label="Role" choices={[everyRole, ...roles]} value={role} onChange={setRole} />
      </div>
      <ListFrame list={list} empty={<Empty title="No user matches." />} end="These are all users.">
        <Table caption="Users" columns={['User', 'Role', 'Status', 'Since', actionsColumn]}>
          {list.items.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table>
      </ListFrame>
      {has('listInvitations') && <Invitations />}
    </>
  )
}

function Actions() {
  const { has } = useFeatures()
  const signOut = useSignOut()
  const [isInviting, setInviting] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const logOutAll = useMutation({
    mutationFn: () => unwrap(api.DELETE('/sessions/all')),
    onSuccess: signOut,
  })
  return (
    <>
      {has('deleteAllSessions') && (
        <Button
          onPress={() => {
            setAsking(true)
          }}
        >
          Log out everyone
        </Button>
      )}
      {has('createInvitation') && (
        <Button
          look="primary"
          onPress={() => {
            setInviting(true)
          }}
        >
          Invite
        </Button>
      )}
      <InviteUser
        isOpen={isInviting}
        onClose={() => {
          setInviting(false)
        }}
      />
      <Confirm
        title="Log out everyone"
        isOpen={isAsking}
        onClose={() => {
          setAsking(false)
        }}
        action="Log out everyone"
        isDangerous
        change={logOutAll}
      >
        <p>This ends the sessions of all users, yours too. Everyone can log in again. API keys stay.</p>
      </Confirm>
    </>
  )
}
