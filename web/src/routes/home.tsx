import { Fragment } from 'react'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { FirstBlock } from '#/features/home/FirstBlock'
import { LaterBlock } from '#/features/home/LaterBlock'
import { Dateline } from '#/features/site/Dateline'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { Notice } from '#/ui/Notice'
import styles from './home.module.css'

const ABOUT = { page: 'home' } as const

/** The index of the block above the ad in the middle. */
const MIDDLE = 3

/** The front page, as the site's settings arrange it. */
export function HomePage() {
  const site = useSite()
  return (
    <AdPage about={ABOUT}>
      <PageTitle />
      <h1 className="visually-hidden">{site.name}</h1>
      <Dateline />
      {site.home.length === 0 ? (
        <Notice title="Nothing has been published yet">
          <p>Nothing has been published about {site.city} yet. Check back soon.</p>
        </Notice>
      ) : (
        <div className={styles.blocks}>
          {site.home.map((block, index) => (
            // Blocks have no ids, only their order.
            <Fragment key={index}>
              {index === 0 ? <FirstBlock block={block} /> : <LaterBlock block={block} />}
              {index === 0 && <AdSpot at="lead" />}
              {index === MIDDLE && <AdSpot at="middle" />}
            </Fragment>
          ))}
          <AdSpot at="end" />
        </div>
      )}
    </AdPage>
  )
}
