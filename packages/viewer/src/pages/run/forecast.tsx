import { forecastAnswer, type RunForecast } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { Sentence } from "../../app/sentence.tsx";

/** Shows the clients that work with the agent. The list is folded below a line with their number. */
export function Forecast({ forecast: { clients, advice } }: { readonly forecast: RunForecast }) {
  return (
    <details class="about">
      <summary>Forecast: {forecastAnswer({ clients })}</summary>
      <dl>
        {clients.map(({ client, verdict, because, measured }) => (
          <div key={`${client.name} ${client.version}`}>
            <dt>{verdict}</dt>
            <dd>
              <strong>
                {client.name} {client.version}
              </strong>
              {because !== "" && (
                <>
                  {": "}
                  <Sentence text={because} />
                </>
              )}{" "}
              <small>(measured {measured})</small>
            </dd>
          </div>
        ))}
        {advice.map(({ change, gains }) => (
          <div key={change}>
            <dt>to reach {plural(gains, "more client")}</dt>
            <dd>{change}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
