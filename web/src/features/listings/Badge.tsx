import type { Listing, ListingDetail } from '#/api/types'
import { PlaceStars } from '#/features/ratings/PlaceStars'
import { RatingControl } from '#/features/ratings/RatingControl'
import { useSite } from '#/features/site/site'
import { Fact, Facts } from '#/ui/Facts'
import { SiteLink } from '#/ui/SiteLink'
import styles from './Badge.module.css'
import { PhoneLink } from './PhoneLink'
import { PlaceControls } from './PlaceControls'

interface Props {
  place: ListingDetail
}

const stepFree = { yes: 'Step-free', limited: 'Partly step-free', no: 'Not step-free' }

/** A place's address, contact and facts; a closed place shows only its type and area. */
export function Badge({ place }: Props) {
  const last = place.inspections?.results[0]
  const { city } = useSite()
  return (
    <aside aria-label="About this place">
      {place.is_closed && <p className={styles.closed}>Closed</p>}
      <Facts>
        {!place.is_closed && (
          <>
            <Fact name="Rating">
              <PlaceStars place={place} />
            </Fact>
            {place.address && <Fact name="Address">{place.address}</Fact>}
            {place.phone && (
              <Fact name="Phone">
                <PhoneLink phone={place.phone} />
              </Fact>
            )}
            {place.website && place.website_host && (
              <Fact name="Website">
                <a href={place.website} rel="noopener nofollow" target="_blank">
                  {place.website_host}
                </a>
              </Fact>
            )}
            {(last != null || place.inspection_url) && (
              <Fact name="Inspection">
                {last && (
                  <>
                    <b className={last.is_pass ? styles.open : styles.shut}>{last.outcome}</b>
                    <span className={styles.line}>
                      <time dateTime={last.date}>{last.inspected_on}</time>
                    </span>
                  </>
                )}
                {place.inspection_url && (
                  <a href={place.inspection_url} rel="noopener" target="_blank">
                    DineSafe results
                  </a>
                )}
              </Fact>
            )}
            {place.wheelchair && <Fact name="Wheelchair access">{stepFree[place.wheelchair]}</Fact>}
            {place.hours.length > 0 && (
              <Fact name="Hours">
                {place.is_open_now != null && place.open_status && (
                  <b className={place.is_open_now ? styles.open : styles.shut}>
                    {place.open_status}
                  </b>
                )}
                {place.hours.map((line) => (
                  <span key={line} className={styles.line}>
                    {line}
                  </span>
                ))}
              </Fact>
            )}
          </>
        )}
        {place.default_neighborhood && (
          <Fact name="Neighbourhood">
            <SiteLink href={place.default_neighborhood.share_url}>
              {place.default_neighborhood.name}
            </SiteLink>
          </Fact>
        )}
        <Fact name="Type">
          <span className={styles.line}>
            <SiteLink href={place.type.share_url}>{place.type.name}</SiteLink>
          </span>
          {place.sub_type && (
            <span className={styles.sub}>
              <SiteLink href={place.sub_type.share_url}>{place.sub_type.name}</SiteLink>
            </span>
          )}
        </Fact>
        {place.appears_in_best_of_lists.length > 0 && (
          <Fact name="Best of">
            {place.appears_in_best_of_lists.map((list) => (
              <span key={list.share_url} className={styles.line}>
                <SiteLink href={list.share_url}>{rankIn(list, city)}</SiteLink>
              </span>
            ))}
          </Fact>
        )}
      </Facts>
      {!place.is_closed && (
        <div className={styles.controls}>
          <PlaceControls place={place} look="labelled" />
          <RatingControl place={place} look="block" />
        </div>
      )}
    </aside>
  )
}

/** "No. 1 in our best bars", for "The best bars in Toronto". */
function rankIn({ name, rank }: Listing['appears_in_best_of_lists'][number], city: string): string {
  const short = name.replace(/^The /, '')
  const suffix = ` in ${city}`
  const words = short.endsWith(suffix) ? short.slice(0, -suffix.length) : short
  return `No. ${rank} in our ${words}`
}
