// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.Route;
import dev.varve.server.surveys.StoreSurveys;
import java.util.List;

/// The routes to the surveys of the whole store. A survey changes nothing, so who may read may
/// begin one; surveys work one after the other, a quarter of the time.
record SurveyRoutes(StoreSurveys surveys) {

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/surveys",
            Route.Doc.of(
                    "listSurveys",
                    "The state and the last result of each survey. Reads nothing of the store.")
                .gives("Surveys"),
            _ -> HttpAnswer.json(surveys.json())),
        new Route(
            "POST",
            "/v1/surveys/{name}",
            Route.Access.READ,
            Route.Doc.of(
                    "startSurvey",
                    "Begins a survey in the background: space, garbage or check. Each reads the"
                        + " whole store.")
                .gives("Surveys", 202),
            this::start));
  }

  private HttpAnswer start(HttpRequest request) {
    surveys.start(request.param("name"));
    return HttpAnswer.json(202, surveys.json());
  }
}
