import { Link } from 'wouter'
import { useProviders } from '../api/delivery-counts.ts'
import { useFeatures } from '../api/features.tsx'
import { Empty } from '../ui/notice.tsx'

/** Shows a new installation how to send its first delivery. */
export function FirstDelivery() {
  const { has } = useFeatures()
  const { data } = useProviders()
  const names = data?.data.filter((one) => one.registered).map(({ name }) => name) ?? []
  const [name = 'codehost'] = names.includes('codehost') ? [] : names
  return (
    <Empty title="No deliveries yet">
      <p>
        Send a first one:{' '}
        <code>npx sallyport send {name === 'codehost' ? 'codehost workflow_run.completed' : name}</code>
      </p>
      <p>
        {has('createEndpoint', 'createTestDelivery') && (
          <>
            Or <Link href="/endpoints">create an endpoint</Link>, and send a test delivery to it.{' '}
          </>
        )}
        {has('listProviders') && (
          <>
            <Link href="/help">Service setup</Link> has the steps of each service.
          </>
        )}
      </p>
    </Empty>
  )
}
