import { Advertisers } from '#/features/ads/Advertisers'
import { offeredSizes } from '#/features/ads/offered-sizes'
import { PageTitle } from '#/features/site/PageTitle'
import { useSite } from '#/features/site/site'
import { PageHead } from '#/ui/PageHead'
import { ProseParts } from '#/ui/Prose'
import { SiteLink } from '#/ui/SiteLink'

/** How ads work on the site, who advertises now, and how to book. */
export function AdvertisingPage() {
  const site = useSite()
  const sizes = offeredSizes(site.ads.slots)
  return (
    <>
      <PageTitle page="Advertising" />
      <PageHead
        title="Advertising"
        deck={`How ads work on ${site.name}, who advertises now, and how to book.`}
      />
      <ProseParts>
        <h2>How it works</h2>
        <ul>
          <li>
            We choose ads ourselves, by what a page is about: its section, its tags, the kind of
            place, the part of the city. Nobody’s reading is followed from page to page.
          </li>
          <li>
            No reader is identified. A page asks for its ads without a cookie, and says what it is
            about and how wide the screen is, and nothing else.
          </li>
          <li>Every ad says that it is one, and none stands above what its page opens with.</li>
          <li>Nothing is advertised beside a text or a place that has an age limit.</li>
          {site.ads.google && (
            <li>
              Room that nobody has booked may be filled by an advertising network, which follows
              rules of its own. It is asked only for readers who allow content of other companies (
              <SiteLink href="/privacy/">Privacy</SiteLink>).
            </li>
          )}
        </ul>
        <h2>What is counted</h2>
        <p>
          An ad counts as seen once half of it, or 30% of a large one, has been in view for one
          second: the rule of the Media Rating Council. Each time that one is shown, seen or clicked
          is an entry in a signed log. Invoices are made from that log, and an advertiser can check
          every figure with a copy of it and our public key.
        </p>
        <Advertisers />
        {sizes.length > 0 && (
          <>
            <h2>Sizes</h2>
            <p>
              An ad is a picture, a document or a text in the style of the page, in one of these
              sizes.
            </p>
            <table>
              <thead>
                <tr>
                  <th scope="col">Pixels</th>
                  <th scope="col">Shown on</th>
                </tr>
              </thead>
              <tbody>
                {sizes.map(({ width, height, on }) => (
                  <tr key={`${width}x${height}`}>
                    <td>{`${width} × ${height}`}</td>
                    <td>{on}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
        <h2>How to book</h2>
        <p>
          <SiteLink href="/contact/?advertise">Write to us</SiteLink> with what you would like{' '}
          {site.city} to know about, and when. We answer with a price.
        </p>
      </ProseParts>
    </>
  )
}
