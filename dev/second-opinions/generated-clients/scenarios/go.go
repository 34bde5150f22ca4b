// The client in Go that openapi-generator makes, on a gateway; one line of JSON for each check.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	generated "example.com/generated"
)

const integration = "google-drive"

var connectionID, feedID, keyID string

func main() {
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := generated.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), generated.ContextAccessToken, os.Getenv("SECRET_KEY"))

	check("health", func() error {
		health, _, err := client.ServiceAPI.Health(ctx).Execute()
		return first(err, equal(health.GetStatus(), "ok"))
	})
	check("list_integrations", func() error {
		list, _, err := client.IntegrationsAPI.ListIntegrations(ctx).Execute()
		if err != nil {
			return err
		}
		keys := []string{}
		for _, one := range list.Data {
			keys = append(keys, one.UniqueKey)
		}
		return holds(strings.Contains(strings.Join(keys, " "), integration), "integrations", keys)
	})
	check("get_integration", func() error {
		answer, _, err := client.IntegrationsAPI.GetIntegration(ctx, integration).Execute()
		if err != nil {
			return err
		}
		return equal(answer.Data.Provider, "google-drive")
	})
	check("create_session", func() error {
		user := generated.NewCreateConnectSessionBodyEndUser("go")
		body := generated.CreateConnectSessionBody{EndUser: user, AllowedIntegrations: []string{integration}}
		request := client.ConnectSessionsAPI.CreateConnectSession(ctx).CreateConnectSessionBody(body).IdempotencyKey("\"go-session\"")
		made, _, err := request.Execute()
		if err != nil {
			return err
		}
		again, _, err := request.Execute()
		if err != nil {
			return err
		}
		return first(equal(made.Data.Token, again.Data.Token), equal(made.Data.Token[:3], "cs_"))
	})
	check("list_connections", func() error {
		page, _, err := client.ConnectionsAPI.ListConnections(ctx).ProviderConfigKey(integration).Limit(1).Execute()
		if err != nil {
			return err
		}
		connectionID = page.Connections[0].ConnectionId
		return holds(page.Connections[0].Id > 0, "id", page.Connections[0].Id)
	})
	check("set_metadata", func() error {
		var by, count interface{} = "go", 2
		metadata := map[string]*interface{}{"made_by": &by, "count": &count}
		name := generated.SetMetadataBodyConnectionId{String: &connectionID}
		body := generated.NewSetMetadataBody(name, integration, metadata)
		_, _, err := client.ConnectionsAPI.SetMetadata(ctx).SetMetadataBody(*body).Execute()
		return err
	})
	check("get_connection", func() error {
		found, _, err := client.ConnectionsAPI.GetConnection(ctx, connectionID).ProviderConfigKey(integration).Execute()
		if err != nil {
			return err
		}
		metadata, err := json.Marshal(found.Metadata)
		return first(err, equal(string(metadata), `{"count":2,"made_by":"go"}`), equal(found.Status, "active"), holds(found.Cause.Get() == nil, "cause", found.Cause))
	})
	check("create_feed", func() error {
		body := generated.NewCreateFeedBody(integration, connectionID, "drive")
		made, _, err := client.FeedsAPI.CreateFeed(ctx).CreateFeedBody(*body).Execute()
		if err != nil {
			return err
		}
		feedID = made.Data.Id
		return nil
	})
	check("list_feeds", func() error {
		page, _, err := client.FeedsAPI.ListFeeds(ctx).ProviderConfigKey(integration).Execute()
		if err != nil {
			return err
		}
		return holds(len(page.Data) == 1 && page.Data[0].Id == feedID, "feeds", len(page.Data))
	})
	check("delete_feed", func() error {
		done, _, err := client.FeedsAPI.DeleteFeed(ctx, feedID).Execute()
		return first(err, holds(done.GetSuccess(), "success", false))
	})
	check("create_key", func() error {
		body := generated.NewCreateSecretKeyBody("go", "proxy")
		body.Limits = &generated.CreateAgentBodyLimits{Mode: "enforce", Allow: []string{"drive:metadata"}}
		made, _, err := client.SecretKeysAPI.CreateSecretKey(ctx).CreateSecretKeyBody(*body).Execute()
		if err != nil {
			return err
		}
		keyID = made.Data.Id
		return equal(made.Data.SecretKey[:3], "sk_")
	})
	check("revoke_key", func() error {
		if _, _, err := client.SecretKeysAPI.RevokeSecretKey(ctx, keyID).Execute(); err != nil {
			return err
		}
		list, _, err := client.SecretKeysAPI.ListSecretKeys(ctx).Execute()
		if err != nil {
			return err
		}
		for _, one := range list.Data {
			if one.Id == keyID && one.RevokedAt.Get() != nil {
				return nil
			}
		}
		return errors.New("the key is not listed as revoked")
	})
	check("list_events", func() error {
		page, _, err := client.ServiceAPI.ListEvents(ctx).Limit(50).Execute()
		if err != nil {
			return err
		}
		for _, one := range page.Data {
			if one.Type == "SecretKeyRevoked" {
				return nil
			}
		}
		return errors.New("no event of the revoked key")
	})
	check("refusal", func() error {
		_, answer, err := client.ConnectionsAPI.GetConnection(ctx, "none").ProviderConfigKey(integration).Execute()
		var refused *generated.GenericOpenAPIError
		if !errors.As(err, &refused) {
			return fmt.Errorf("not refused: %v", err)
		}
		model, isKnown := refused.Model().(generated.GatewayError)
		return first(equal(fmt.Sprint(answer.StatusCode), "404"), holds(isKnown, "model", refused.Model()), equal(model.Error.Code, "unknown_connection"))
	})
	check("proxy_path", func() error {
		_, _, err := client.ProxyAPI.ProxyGet(ctx, "drive/v3/files").ProviderConfigKey(integration).ConnectionId(connectionID).Execute()
		var refused *generated.GenericOpenAPIError
		if !errors.As(err, &refused) {
			return fmt.Errorf("not refused: %v", err)
		}
		return holds(strings.Contains(string(refused.Body()), "%2F"), "answer", string(refused.Body()))
	})
}

func check(name string, run func() error) {
	var problem *string
	if err := run(); err != nil {
		text := err.Error()
		problem = &text
	}
	line, _ := json.Marshal(map[string]any{"check": name, "problem": problem})
	fmt.Println(string(line))
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func equal(actual, expected string) error {
	return holds(actual == expected, "instead of "+expected, actual)
}

func holds(is bool, what string, found any) error {
	if is {
		return nil
	}
	return fmt.Errorf("%s: %v", what, found)
}
